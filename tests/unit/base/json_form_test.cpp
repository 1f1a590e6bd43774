// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/json_form.h"

#include <gtest/gtest.h>

#include <limits>

namespace fxs {
namespace {

enum class Color : std::uint8_t { Red, Green };
std::string_view name(Color color) { return color == Color::Red ? "red" : "green"; }

struct Wheel {
  std::string label;
  double size = 0;
};
struct Car {
  std::string name, owner;
  Color color = Color::Red;
  std::uint32_t doors = 0, seats = 0;
  std::optional<bool> runs;
  std::vector<Wheel> wheels;
  std::optional<Wheel> spare;
};

JsonAnswer<Car> carAnswer() {
  const JsonForm<Wheel> wheel =
      JsonForm<Wheel>{{"label", &Wheel::label}, {"size", &Wheel::size, anyNumber}}.named("wheel");
  return {"car/1",
          "A car",
          {{"name", &Car::name, "of the model", matches("^[a-z]+$")},
           {"owner", &Car::owner, nullIfEmpty},
           {"color", &Car::color, JsonNames(Color::Green, "color")},
           {"room", itself,
            JsonForm<Car>{{"doors", &Car::doors}, {"seats", &Car::seats, absentIfEmpty}}},
           {"runs", &Car::runs},
           {"wheels", &Car::wheels, wheel, atLeast(1)},
           {"spare", &Car::spare, wheel},
           {"weights", [](const Car&) { return std::map<std::string, int>{{"front", 3}}; }}}};
}

constexpr std::string_view kText = R"({
  "schema": "car/1",
  "name": "beetle",
  "owner": null,
  "color": "green",
  "room": {
    "doors": 2
  },
  "runs": null,
  "wheels": [
    {
      "label": "front",
      "size": "Infinity"
    }
  ],
  "spare": null,
  "weights": {
    "front": 3
  }
}
)";

Result<Car> carFrom(std::string_view text) {
  FXS_TRY(const auto document, JsonDocument::parse(text, "c.json"));
  Car out;
  FXS_CHECK(carAnswer().form.read(document->root(), out));
  return out;
}

TEST(JsonForm, WritesWhatItReads) {
  const auto car = carFrom(kText);
  ASSERT_TRUE(car);
  EXPECT_EQ(car->wheels.front().size, std::numeric_limits<double>::infinity());
  EXPECT_EQ(carAnswer().text(*car), kText);
}

TEST(JsonForm, ReadsStrictly) {
  const auto errorWith = [](std::string_view from, std::string_view to) {
    std::string text(kText);
    text.replace(text.find(from), from.size(), to);
    const auto car = carFrom(text);
    return car ? "no error" : car.error().message;
  };
  EXPECT_EQ(errorWith("\"runs\"", "\"ran\""), "c.json: member 'runs' is missing");
  EXPECT_EQ(errorWith("\"front\",", "7,"),
            "c.json: wheels[0].label: expected a string, got an integer");
  EXPECT_EQ(errorWith("\"green\"", "\"blue\""), "c.json: color: unknown color 'blue'");
  EXPECT_EQ(errorWith("2", "-2"), "c.json: room.doors: expected a count, got a negative number");
  EXPECT_EQ(errorWith("2", "4294967296"), "c.json: room.doors: 4294967296 is too large");
  EXPECT_EQ(errorWith("\"doors\": 2", "\"doors\": 2, \"seats\": 4"), "no error");
}

TEST(JsonForm, DescribesItself) {
  EXPECT_EQ(carAnswer().schemaText(), R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "A car",
  "type": "object",
  "required": ["schema", "name", "owner", "color", "room", "runs", "wheels", "spare", "weights"],
  "properties": {
    "schema": { "const": "car/1" },
    "name": { "type": "string", "pattern": "^[a-z]+$", "description": "of the model" },
    "owner": { "type": ["string", "null"] },
    "color": { "enum": ["red", "green"] },
    "room": {
      "type": "object",
      "required": ["doors"],
      "properties": { "doors": { "type": "integer", "minimum": 0 }, "seats": { "type": "integer", "minimum": 0 } }
    },
    "runs": { "type": ["boolean", "null"] },
    "wheels": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/wheel" } },
    "spare": { "anyOf": [{ "$ref": "#/$defs/wheel" }, { "type": "null" }] },
    "weights": { "type": "object", "additionalProperties": { "type": "integer" } }
  },
  "$defs": {
    "number": { "type": ["number", "string"], "description": "\"Infinity\", \"-Infinity\" or \"NaN\" if not finite" },
    "wheel": {
      "type": "object",
      "required": ["label", "size"],
      "properties": { "label": { "type": "string" }, "size": { "$ref": "#/$defs/number" } }
    }
  }
}
)");
}

}  // namespace
}  // namespace fxs
