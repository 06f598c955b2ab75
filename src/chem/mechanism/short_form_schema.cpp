// What the short form may say, key by key.
#include "chem/mechanism/short_form.h"

namespace phlo::chem {
namespace {

using config::Key;
using config::Schema;
using config::SchemaPtr;
using Kind = Schema::Kind;

SchemaPtr value(Kind kind, const Key& key = {}, SchemaPtr item = nullptr) {
    auto schema = std::make_shared<Schema>();
    schema->kind = kind;
    schema->key = key;
    schema->item = std::move(item);
    return schema;
}

SchemaPtr table(std::vector<Schema::Member> members) {
    auto schema = std::make_shared<Schema>();
    schema->kind = Kind::table;
    schema->members = std::move(members);
    return schema;
}

Schema::Member member(const char* name, const char* help, SchemaPtr content, bool required = false) {
    return {name, {.help = help, .required = required}, std::move(content), nullptr};
}

SchemaPtr rate_schema() {
    return value(Kind::free, {},
                 table({member("A", "the factor of A T^b exp(-Ta/T), with its unit if it has another than SI with moles", value(Kind::number), true),
                        member("b", "exponent of the temperature", value(Kind::number)),
                        member("Ta", "activation temperature", value(Kind::number, {.unit = "K"})),
                        member("Ea", "activation energy, instead of Ta", value(Kind::number, {.unit = "J/mol"}))}));
}

}  // namespace

config::SchemaPtr short_form_schema() {
    static const SchemaPtr numbers = value(Kind::names, {}, value(Kind::number)), rate = rate_schema();
    static const SchemaPtr schema = table({
        member("phlo", "version of this form: 1", value(Kind::integer)),
        member("name", "the mechanism's name", value(Kind::text)),
        member("description", "one line for those who choose it", value(Kind::text)),
        member("species", "names, or tables with the keys below",
               value(Kind::list, {},
                     value(Kind::free, {},
                           table({member("name", "a word that may stand in an equation", value(Kind::text), true),
                                  member("molar-mass", "which makes it heavy or light", value(Kind::number, {.unit = "kg/mol", .above = 0})),
                                  member("molar-density", "given: a solid of which bodies can be made; reactions with it run on their surface, at a rate in mol/(m^2 s)",
                                         value(Kind::number, {.unit = "mol/m^3", .above = 0})),
                                  member("composition", "atoms of each element, such as {H: 2, O: 1}; reactions are then checked to keep them",
                                         numbers)}))),
               true),
        member("reactions", "what happens",
               value(Kind::list, {},
                     table({member("equation", "such as A + 2 B => C; <=> runs both ways; + M is any third molecule; a side may be empty",
                                   value(Kind::text), true),
                            member("rate", "a number with or without unit, a control function of T, t and species, or {A, b, Ta}", rate, true),
                            member("reverse", "the same for the way back of <=>", rate),
                            member("orders", "exponents in the rate law, where they are not the equation's", numbers),
                            member("reverse-orders", "the same for the way back", numbers),
                            member("efficiencies", "how well each species serves as the third molecule", numbers),
                            member("default-efficiency", "of all others", value(Kind::number, {.min = 0})),
                            member("duplicate", "this equation occurs again, on purpose", value(Kind::boolean)),
                            member("negative-orders", "a negative order is meant", value(Kind::boolean))})),
               true),
        member("react", "the reactor of 'phlo react', see 'phlo help react'", value(Kind::free)),
    });
    return schema;
}

}  // namespace phlo::chem
