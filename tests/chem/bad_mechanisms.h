// Mechanisms that cannot be right, with the place and some words of the complaint. Also what the mutation test starts from.
#pragma once
#include <string>
#include <vector>

namespace phlo::chem::test {

struct BadMechanism {
    const char* name;
    std::string text;
    const char* where;  ///< line:column
    const char* words;  ///< that the message must have
};

/// Species of a small gas; reactions begin on line 8.
inline std::string gas(const std::string& reactions) {
    return R"(phases: [{name: gas, thermo: ideal-gas, kinetics: gas}]
species:
- {name: H2, composition: {H: 2}, thermo: &t {model: NASA7, temperature-ranges: [200, 3000], data: [[3.5, 0, 0, 0, 0, 0, 0]]}}
- {name: O2, composition: {O: 2}, thermo: *t}
- {name: H2O, composition: {H: 2, O: 1}, thermo: *t}
- {name: AR, composition: {Ar: 1}, thermo: *t}
reactions:
)" + reactions;
}

/// A phase and one reaction around one species; its thermo stands on line 2.
inline std::string one_species(const std::string& composition, const std::string& thermo) {
    return "species:\n- {name: X, composition: " + composition + ",\n   thermo: " + thermo +
           "}\nphases: [{name: gas, thermo: ideal-gas, kinetics: gas}]\n"
           "reactions: [{equation: X + X => X + X, rate-constant: {A: 1, b: 0, Ea: 0}}]\n";
}

/// Three invented species; reactions begin on line 3.
inline std::string toy(const std::string& reactions) { return "species: [S1, S2, S3]\nreactions:\n" + reactions; }

inline std::vector<BadMechanism> bad_equations() {
    return {
        {"unknown species", toy("- {equation: S1 + S9 => S3, rate: 1}\n"), "3:19", "unknown species 'S9'; did you mean 'S"},
        {"unknown species of the gas", gas("- {equation: H2 + OO => H2O, rate-constant: [1, 0, 0]}\n"), "8:19", "unknown species 'OO'"},
        {"no arrow", toy("- {equation: S1 + S2, rate: 1}\n"), "3:14", "no arrow"},
        {"another arrow", toy("- {equation: S1 -> S2, rate: 1}\n"), "3:17", "'->' is no arrow; expected '=>'"},
        {"two arrows", toy("- {equation: S1 => S2 => S3, rate: 1}\n"), "3:23", "a second arrow"},
        {"empty equation", toy("- {equation: \"\", rate: 1}\n"), "3:15", "an empty equation"},
        {"only an arrow", toy("- {equation: \"=>\", rate: 1}\n"), "3:15", "nothing on either side"},
        {"plus without species", toy("- {equation: S1 + => S2, rate: 1}\n"), "3:17", "nothing stands behind this '+'"},
        {"two plus signs", toy("- {equation: S1 + + S2 => S3, rate: 1}\n"), "3:19", "nothing stands before this '+'"},
        {"two names without plus", toy("- {equation: S1 S2 => S3, rate: 1}\n"), "3:17", "follows without a '+'"},
        {"negative coefficient", toy("- {equation: -2 S1 => S3, rate: 1}\n"), "3:14", "the coefficient -2 is not positive"},
        {"zero coefficient", toy("- {equation: 0 S1 => S3, rate: 1}\n"), "3:14", "the coefficient 0 is not positive"},
        {"absurd coefficient", toy("- {equation: S1 => 1e300 S3, rate: 1}\n"), "3:20", "absurd"},
        {"number without species", toy("- {equation: 2 + S1 => S3, rate: 1}\n"), "3:14", "stands where a species belongs"},
        {"empty side in Cantera's form", gas("- {equation: H2 => , rate-constant: [1, 0, 0]}\n"), "8:18",
         "a side of the equation is empty"},
        {"matter from nothing", "species: [{name: H2, composition: {H: 2}}]\nreactions: [{equation: => H2, rate: 1}]\n", "2:24",
         "made of elements, which do not vanish"},
        {"third body on one side", gas("- {equation: H2 + M => H2, rate-constant: [1, 0, 0]}\n"), "8:19", "M stands only on the left"},
        {"collider on one side", gas("- {equation: H2 => H2 (+M), rate-constant: [1, 0, 0]}\n"), "8:23", "'(+M)' stands only on the right"},
        {"colliders that differ", gas("- {equation: H2 (+M) => H2 (+AR), rate-constant: [1, 0, 0]}\n"), "8:28", "the colliders differ"},
        {"collider without its end", gas("- {equation: H2 (+M => H2 (+M, rate-constant: [1, 0, 0]}\n"), "8:17", "'(+' without its end"},
        {"two kinds of third body", gas("- {equation: H2 + M (+M) => H2 + M (+M), rate-constant: [1, 0, 0]}\n"), "8:19",
         "both '+ M' and '(+M)'"},
        {"two third bodies", gas("- {equation: H2 + 2 M => H2 + 2 M, rate-constant: [1, 0, 0]}\n"), "8:21", "more than one third body"},
        {"equation that is a list", toy("- {equation: [S1, S2], rate: 1}\n"), "3:14", "got a list of 2; expected an equation"},
        {"reaction without equation", toy("- {rate: 1}\n"), "3:3", "reactions.0.equation: missing"},
        {"reaction that is a word", toy("- S1\n"), "3:3", "got 'S1'; expected {equation"},
    };
}

inline std::vector<BadMechanism> bad_reactions() {
    return {
        {"unbalanced oxygen", gas("- {equation: H2 + O2 => H2O, rate-constant: [1, 0, 0]}\n"), "8:14",
         "not balanced: 2 O on the left, 1 on the right"},
        {"unbalanced charge",
         "species: [{name: H, composition: {H: 1}}, {name: H+, composition: {H: 1, E: -1}}]\nreactions: [{equation: H => H+, rate: 1}]\n",
         "2:24", "electrons (charge) on the left"},
        {"undeclared duplicate", toy("- {equation: S1 => S2, rate: 1}\n- {equation: S1 => S2, rate: 2}\n"), "4:14",
         "stands at line 3 already"},
        {"undeclared duplicate, backwards",
         gas("- {equation: 2 H2 + O2 <=> 2 H2O, rate-constant: [1, 0, 0]}\n"
             "- {equation: 2 H2O <=> O2 + 2 H2, rate-constant: [1, 0, 0]}\n"),
         "9:14", "stands at line 8 already"},
        {"duplicate without partner", toy("- {equation: S1 => S2, rate: 1, duplicate: true}\n"), "3:14", "no other duplicate"},
        {"duplicate that is no truth value", toy("- {equation: S1 => S2, rate: 1, duplicate: often}\n"), "3:44", "expected true or false"},
        {"negative order", toy("- {equation: S1 => S2, rate: 1, orders: {S1: -1}}\n"), "3:41", "the order -1 of 'S1' is negative"},
        {"order of an unknown species", toy("- {equation: S1 => S2, rate: 1, orders: {S7: 1}}\n"), "3:42",
         "an order for an unknown species"},
        {"order that is no number", toy("- {equation: S1 => S2, rate: 1, orders: {S1: high}}\n"), "3:46", "'high' is not a finite number"},
        {"absurd total order", toy("- {equation: 9 S1 => S2, rate: 1}\n"), "3:14", "a reaction of order 9 is absurd"},
        {"order of a species that is no reactant", gas("- {equation: H2 => H2, rate-constant: [1, 0, 0], orders: {AR: 1}}\n"), "8:58",
         "'AR' is no reactant"},
        {"orders of a reversible reaction", gas("- {equation: H2 <=> H2, rate-constant: [1, 0, 0], orders: {H2: 0.5}}\n"), "8:59",
         "orders of a reversible reaction"},
        {"reversible without thermo", toy("- {equation: S1 <=> S2, rate: 1}\n"), "3:14", "no thermodynamic data"},
        {"reverse of one way", toy("- {equation: S1 => S2, rate: 1, reverse: 2}\n"), "3:33", "expected <=> instead of =>"},
        {"reverse orders without reverse", toy("- {equation: S1 <=> S2, rate: 1, reverse-orders: {S2: 2}}\n"), "3:34",
         "there is no backward rate"},
        {"unknown key", toy("- {equation: S1 => S2, rat: 1}\n"), "3:24", "reactions.0.rat: unknown key; did you mean 'rate'?"},
        {"slip in a key of Cantera's", gas("- {equation: H2 + M => H2 + M, rate-constant: [1, 0, 0], efficiences: {AR: 2}}\n"), "8:58",
         "did you mean 'efficiencies'?"},
        {"efficiency of an unknown species", gas("- {equation: H2 + M => H2 + M, rate-constant: [1, 0, 0], efficiencies: {XE: 2}}\n"),
         "8:73", "an efficiency for an unknown species"},
        {"negative efficiency", gas("- {equation: H2 + M => H2 + M, rate-constant: [1, 0, 0], efficiencies: {AR: -2}}\n"), "8:77",
         "the efficiency -2 is negative"},
        {"negative default efficiency", toy("- {equation: S1 + M => S2 + M, rate: 1, default-efficiency: -1}\n"), "3:61", "-1 is negative"},
        {"nothing collides", toy("- {equation: S1 + M => S2 + M, rate: 1, default-efficiency: 0}\n"), "3:14",
         "every efficiency of the third body is zero"},
        {"efficiencies without third body", gas("- {equation: H2 => H2, rate-constant: [1, 0, 0], efficiencies: {AR: 2}}\n"), "8:64",
         "efficiencies without a third body"},
        {"efficiencies beside a collider",
         gas("- {equation: H2 (+AR) => H2 (+AR), type: falloff, low-P-rate-constant: [1, 0, 0], high-P-rate-constant: [1, 0, 0],\n"
             "   efficiencies: {AR: 2}}\n"),
         "9:18", "efficiencies beside the collider 'AR'"},
        {"third body in an elementary reaction", gas("- {equation: H2 + M => H2 + M, type: elementary, rate-constant: [1, 0, 0]}\n"),
         "8:19", "expected type: three-body"},
        {"three-body without third body", gas("- {equation: H2 => H2O, type: three-body, rate-constant: [1, 0, 0]}\n"), "8:14",
         "without its third body"},
        {"falloff without collider",
         gas("- {equation: H2 => H2, type: falloff, low-P-rate-constant: [1, 0, 0], high-P-rate-constant: [1, 0, 0]}\n"), "8:14",
         "expected (+M) on both sides"},
        {"collider without falloff", gas("- {equation: H2 (+M) => H2 (+M), type: elementary, rate-constant: [1, 0, 0]}\n"), "8:17",
         "(+M) without a falloff rate"},
        {"falloff in the short form", toy("- {equation: S1 (+M) => S2 (+M), rate: 1}\n"), "3:17", "a falloff needs two rates"},
    };
}

inline std::vector<BadMechanism> bad_rates() {
    return {
        {"no rate", toy("- {equation: S1 => S2}\n"), "3:3", "reactions.0.rate: missing"},
        {"zero rate", toy("- {equation: S1 => S2, rate: 0}\n"), "3:30", "0: the reaction never happens"},
        {"negative rate", toy("- {equation: S1 => S2, rate: -3}\n"), "3:30", "negative, which is right only in a sum of duplicates"},
        {"rate of nothing", toy("- {equation: S1 => S2, rate: }\n"), "3:24", "missing; expected a number, an expression"},
        {"rate that is a list", toy("- {equation: S1 => S2, rate: [1]}\n"), "3:30", "got a list of 1"},
        {"rate in the unit of another order", toy("- {equation: S1 + S2 => S3, rate: 3 1/s}\n"), "3:35",
         "'1/s' does not fit a reaction of order 2; expected m^3/mol/s"},
        {"rate in an unknown unit", toy("- {equation: S1 => S2, rate: 3 apples}\n"), "3:30", "unknown unit 'apples'; expected 1/s"},
        {"rate beyond all numbers", toy("- {equation: S1 => S2, rate: {A: 1e999}}\n"), "3:34", "is not a finite number"},
        {"expression with an unknown name", toy("- {equation: S1 => S2, rate: 2 * Temp}\n"), "3:34", "Temp"},
        {"expression that ends early", toy("- {equation: S1 => S2, rate: \"2 * (T\"}\n"), "3:", "reactions.0.rate"},
        {"species named like the temperature", "species: [T, S2]\nreactions: [{equation: T => S2, rate: 2 * T}]\n", "1:11",
         "rename the species"},
        {"exponent that is absurd", toy("- {equation: S1 => S2, rate: {A: 1, b: 900}}\n"), "3:30", "b = 900"},
        {"two activation energies", toy("- {equation: S1 => S2, rate: {A: 1, Ea: 1 kJ/mol, Ta: 3 K}}\n"), "3:55",
         "expected only one of the two"},
        {"activation energy in a wrong unit", toy("- {equation: S1 => S2, rate: {A: 1, Ea: 3 kg}}\n"), "3:41",
         "'kg' is no unit of an activation energy"},
        {"no pre-exponential factor", gas("- {equation: H2 => H2, rate-constant: {b: 0, Ea: 0}}\n"), "8:39", "rate-constant.A: missing"},
        {"zero pre-exponential factor", gas("- {equation: H2 => H2, rate-constant: {A: 0, b: 0, Ea: 0}}\n"), "8:43",
         "rate-constant.A: 0: the reaction never happens"},
        {"negative factor without a word", gas("- {equation: H2 => H2, rate-constant: {A: -1, b: 0, Ea: 0}}\n"), "8:43",
         "negative-A: true"},
        {"rate constant that is a word", gas("- {equation: H2 => H2, rate-constant: fast}\n"), "8:39", "got 'fast'; expected {A:"},
        {"low-pressure limit missing", gas("- {equation: H2 (+M) => H2 (+M), type: falloff, high-P-rate-constant: [1, 0, 0]}\n"), "8:3",
         "low-P-rate-constant: missing"},
        {"falloff parameters without falloff", gas("- {equation: H2 => H2, rate-constant: [1, 0, 0], Troe: {A: 1, T3: 1, T1: 1}}\n"),
         "8:56", "belongs to a falloff reaction"},
        {"Troe without T1",
         gas("- {equation: H2 (+M) => H2 (+M), type: falloff, low-P-rate-constant: [1, 0, 0], high-P-rate-constant: [1, 0, 0],\n"
             "   Troe: {A: 1, T3: 1}}\n"),
         "9:10", "Troe.T1: missing"},
        {"SRI falloff",
         gas("- {equation: H2 (+M) => H2 (+M), type: falloff, low-P-rate-constant: [1, 0, 0], high-P-rate-constant: [1, 0, 0],\n"
             "   SRI: {A: 1, B: 1, C: 1}}\n"),
         "9:4", "the SRI falloff is not supported; use Troe"},
        {"Tsang's falloff", gas("- {equation: H2 (+M) => H2 (+M), type: falloff, Tsang: {A: 1, B: 1}}\n"), "8:49",
         "Tsang's falloff is not supported"},
        {"PLOG", gas("- {equation: H2 => H2, type: pressure-dependent-Arrhenius}\n"), "8:30", "PLOG rates are not supported"},
        {"Chebyshev", gas("- {equation: H2 => H2, type: Chebyshev}\n"), "8:30", "Chebyshev rates are not supported"},
        {"chemically activated", gas("- {equation: H2 (+M) => H2 (+M), type: chemically-activated}\n"), "8:40",
         "chemically activated reactions are not supported"},
        {"Blowers-Masel", gas("- {equation: H2 => H2, type: Blowers-Masel}\n"), "8:30", "Blowers-Masel rates are not supported"},
        {"plasma", gas("- {equation: H2 => H2, type: two-temperature-plasma}\n"), "8:30", "plasma rates are not supported"},
        {"surface reaction", gas("- {equation: H2 => H2, type: interface-Arrhenius}\n"), "8:30", "surface reactions are not supported"},
        {"sticking", gas("- {equation: H2 => H2, sticking-coefficient: {A: 1, b: 0, Ea: 0}}\n"), "8:24",
         "surface reactions are not supported"},
        {"a type that nobody knows", gas("- {equation: H2 => H2, type: threebody}\n"), "8:30", "did you mean 'three-body'?"},
    };
}

inline std::vector<BadMechanism> bad_species_and_files() {
    const std::string nasa = "{model: NASA7, temperature-ranges: [200, 1000, 3000], data: [[1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]]}";
    return {
        {"species declared twice", "species: [S1, S2, S1]\nreactions: [{equation: S1 => S2, rate: 1}]\n", "1:19",
         "was declared before, at line 1"},
        {"third body as a species", "species: [M, S2]\nreactions: [{equation: S2 => 2 S2, rate: 1}]\n", "1:11",
         "M is the name of the third body"},
        {"name with a space", "species: [S 1]\nreactions: [{equation: S 1 => S2, rate: 1}]\n", "1:11", "is no name for a species"},
        {"species without a name", "species: [{molar-mass: 2 g/mol}]\nreactions: []\n", "1:11", "species.0.name: missing"},
        {"no mass", "species: [{name: A, molar-mass: 0}]\nreactions: [{equation: A => 2 A, rate: 1}]\n", "1:33", "not positive"},
        {"mass that is a length", "species: [{name: A, molar-mass: 3 m}]\nreactions: [{equation: A => 2 A, rate: 1}]\n", "1:33",
         "'3 m' is a length"},
        {"mass against composition",
         "species: [{name: O, composition: {O: 1}, molar-mass: 2 g/mol}]\nreactions: [{equation: O => O, rate: 1}]\n", "1:54",
         "but the composition makes 0.015999 kg/mol"},
        {"unknown element", "species: [{name: A, composition: {Qq: 1}}]\nreactions: [{equation: A => A, rate: 1}]\n", "1:35",
         "unknown element"},
        {"negative atoms", "species: [{name: A, composition: {H: -1}}]\nreactions: [{equation: A => A, rate: 1}]\n", "1:38", "-1 atoms"},
        {"species made of nothing", one_species("{}", nasa), "2:10", "a molar mass of 0 kg/mol"},
        {"no species", "species: []\nreactions: []\n", "1:1", "no species"},
        {"no reactions", "species: [A]\nreactions: []\n", "1:1", "no reactions"},
        {"species missing", "reactions: [{equation: A => B, rate: 1}]\n", "1:1", "species: missing"},
        {"reactions missing", "species: [A]\n", "1:1", "reactions: missing"},
        {"another version", "phlo: 2\nspecies: [A]\nreactions: [{equation: A => 2 A, rate: 1}]\n", "1:7", "version 1"},
        {"a list", "- A\n- B\n", "1:1", "expected a mechanism"},
        {"thermo missing", one_species("{H: 1}", "~"), "3:4", "species.0.thermo: got nothing"},
        {"NASA9", one_species("{H: 1}", "{model: NASA9}"), "3:20", "'NASA9': not supported; convert it to NASA7"},
        {"Shomate", one_species("{H: 1}", "{model: Shomate}"), "3:20", "'Shomate': not supported"},
        {"constant heat capacity", one_species("{H: 1}", "{model: constant-cp}"), "3:20", "'constant-cp': not supported"},
        {"ranges missing", one_species("{H: 1}", "{model: NASA7, data: [[1, 0, 0, 0, 0, 0, 0]]}"), "3:12", "temperature-ranges: missing"},
        {"ranges that fall", one_species("{H: 1}", "{model: NASA7, temperature-ranges: [200, 100], data: [[1, 0, 0, 0, 0, 0, 0]]}"), "3:53",
         "100 K stands after 200 K"},
        {"range from below zero", one_species("{H: 1}", "{model: NASA7, temperature-ranges: [-5, 100], data: [[1, 0, 0, 0, 0, 0, 0]]}"),
         "3:48", "expected a temperature above zero"},
        {"four temperatures", one_species("{H: 1}", "{model: NASA7, temperature-ranges: [1, 2, 3, 4], data: []}"), "3:47",
         "got 4 temperatures"},
        {"a polynomial missing", one_species("{H: 1}", "{model: NASA7, temperature-ranges: [1, 2, 3], data: [[1, 0, 0, 0, 0, 0, 0]]}"),
         "3:64", "1 polynomials for 2 temperature ranges"},
        {"six coefficients", one_species("{H: 1}", "{model: NASA7, temperature-ranges: [1, 2], data: [[1, 0, 0, 0, 0, 0]]}"), "3:62",
         "expected the seven coefficients"},
        {"coefficient that is no number",
         one_species("{H: 1}", "{model: NASA7, temperature-ranges: [1, 2], data: [[1, x, 0, 0, 0, 0, 0]]}"), "3:66", "data.0.1: got 'x'"},
        {"no ideal gas", "phases: [{name: a, thermo: Redlich-Kwong}]\nspecies: []\nreactions: []\n", "1:9", "there is Redlich-Kwong"},
        {"phase without kinetics", "phases: [{name: a, thermo: ideal-gas, species: [], reactions: all}]\nspecies: []\n", "1:10",
         "expected kinetics: gas"},
        {"surface kinetics", "phases: [{name: a, thermo: ideal-gas, species: [], kinetics: surface}]\nspecies: []\n", "1:62",
         "'surface' is not supported"},
        {"phase with an undeclared species", "phases: [{name: a, thermo: ideal-gas, kinetics: gas, species: [H3]}]\nspecies: []\n", "1:64",
         "'H3' is not declared in 'species'"},
        {"species in another file", "phases: [{name: a, thermo: ideal-gas, kinetics: gas, species: [{b.yaml/species: [H]}]}]\n", "1:65",
         "is in another file"},
        {"reactions by an unknown rule",
         "phases: [{name: a, thermo: ideal-gas, kinetics: gas, species: [], reactions: some}]\nspecies: []\n", "1:78",
         "expected all, none or declared-species"},
        {"unknown unit", "units: {length: furlong}\n" + gas(""), "1:17", "'furlong' is no unit of length"},
        {"unknown kind of unit", "units: {lenght: cm}\n" + gas(""), "1:9", "did you mean 'length'?"},
        {"activation energy in metres", "units: {activation-energy: m}\n" + gas(""), "1:28", "'m' is no unit of an activation energy"},
        {"element without weight", "elements: [{symbol: Qq}]\n" + gas(""), "1:12", "atomic-weight: missing"},
    };
}

inline std::vector<BadMechanism> bad_mechanisms() {
    std::vector<BadMechanism> all;
    for (auto part : {bad_equations, bad_reactions, bad_rates, bad_species_and_files})
        for (BadMechanism& bad : part()) all.push_back(std::move(bad));
    return all;
}

}  // namespace phlo::chem::test
