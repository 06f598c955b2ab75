// Help and JSON Schema are made from the tables: they know every key, and the schema accepts what the program accepts.
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/node.h"
#include "scene/presets.h"
#include "scene/scene.h"

namespace phlo::scene {
namespace {

using config::Schema;

/// Every key of the tree, with the tables that hold it.
void visit(const Schema& schema, const std::function<void(const Schema&, const Schema::Member&)>& each) {
    for (const Schema::Member& member : schema.members) {
        each(schema, member);
        visit(*member.value, each);
    }
    for (const Schema::Option& option : schema.options)
        if (option.content) visit(*option.content, each);
    if (schema.item) visit(*schema.item, each);
}

TEST(Reference, help_names_every_key_its_unit_and_its_words) {
    const std::string help = help_scene();
    int keys = 0;
    visit(*scene_schema(each_model().front()), [&](const Schema&, const Schema::Member& member) {
        ++keys;
        EXPECT_NE(help.find(member.name), std::string::npos) << member.name;
        EXPECT_TRUE(member.key.unit.empty() || help.find(fmt::format("[{}]", member.key.unit)) != std::string::npos) << member.name;
        for (const Schema::Option& option : member.value->options) EXPECT_NE(help.find(option.name), std::string::npos) << option.name;
    });
    EXPECT_GT(keys, 60);
}

TEST(Reference, every_key_explains_itself) {
    visit(*scene_schema(each_model().front()), [](const Schema& table, const Schema::Member& member) {
        const bool explained = !member.key.help.empty() || !member.value->help.empty();
        EXPECT_TRUE(explained || member.name == "render") << table.title << "." << member.name;
    });
}

TEST(Reference, json_schema_is_json_and_has_every_key) {
    const config::Node root = config::parse_yaml(json_schema(), "schema.json");  // JSON is YAML
    EXPECT_EQ(root.get("$schema")->text, "https://json-schema.org/draft/2020-12/schema");
    const std::string text = json_schema();
    const std::vector<AnySetup> models = each_model();
    for (std::size_t m = 0; m < models.size(); ++m) {
        const std::string key = key_of(models[m]);
        const config::Node* properties = root.find(fmt::format("anyOf.{}.properties", m));
        ASSERT_TRUE(properties && properties->get(key)) << key;
        const config::Node* model = properties->get(key)->find("allOf.0.properties");
        ASSERT_TRUE(model) << key;
        for (const std::string& name : scene_schema(models[m])->member(key)->value->member_names()) EXPECT_TRUE(model->get(name)) << name;
        visit(*scene_schema(models[m]), [&](const Schema&, const Schema::Member& member) {
            EXPECT_NE(text.find("\"" + member.name + "\":"), std::string::npos) << member.name;
        });
    }
    EXPECT_EQ(root.find("anyOf.0.properties.gas.allOf.0.properties.cooling.allOf.0.anyOf.0.minimum")->text, "0");
}

}  // namespace
}  // namespace phlo::scene
