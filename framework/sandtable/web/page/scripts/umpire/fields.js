// Fields of forms: labels, selections, and the fields of an event of any ruleset, made from an example of it.

import { capital, make, words } from "/s/viewer/scripts/page/make.js";

export function field(text, input) {
  return make("label", { class: input.type === "checkbox" ? "check" : "" }, make("span", {}, text), input);
}

export function select(pairs, chosen, changed = () => {}) {
  return make("select", { onchange: (event) => changed(event.target.value) }, ...pairs.map(([value, text]) => make("option", { value, selected: String(value) === String(chosen) }, text)));
}

// An input for a value of the example, and a function that reads it. Lists and tables are edited as JSON.
function inputFor(name, example) {
  const used = { name, "data-event-field": name, onfocus: ({ target }) => {
    for (const each of document.querySelectorAll("[data-event-field].used")) each.classList.remove("used");
    target.classList.add("used");
  } };
  if (typeof example === "boolean") {
    const box = make("input", { type: "checkbox", name, checked: example });
    return [box, () => box.checked];
  }
  if (typeof example === "number") {
    const box = make("input", { ...used, type: "number", value: example, required: true });
    return [box, () => Number(box.value)];
  }
  if (typeof example === "string") {
    const box = make("input", { ...used, value: example, maxlength: 2000, spellcheck: false });
    return [box, () => box.value];
  }
  const box = make("textarea", { ...used, rows: 2, maxlength: 20000, spellcheck: false });
  box.value = JSON.stringify(example);
  return [box, () => JSON.parse(box.value)];
}

// A chooser of events with the fields of the chosen one; the second result is a function that returns the event as JSON.
export function eventFields(events) {
  if (!events.length) return [make("p", { class: "soft" }, "The rules have no events."), () => ""];
  const box = make("div", { class: "event fields" }), about = make("p", { class: "soft" });
  let readers = {};
  const draw = (type) => {
    const { example, about: text, secret } = events.find((each) => each.type === type);
    about.textContent = `${capital(text)}${secret ? " The rules keep this secret: a ruling shows it to every side." : ""}`;
    readers = {};
    box.replaceChildren(...Object.entries(example).filter(([name]) => name !== "type" && name !== "calculations").map(([name, value]) => {
      const [input, read] = inputFor(name, value);
      readers[name] = read;
      return field(words(name), input);
    }));
  };
  const chooser = select(events.map(({ type, words: told }) => [type, told]), events[0].type, draw);
  chooser.name = "event";
  draw(events[0].type);
  const value = () => {
    try {
      return JSON.stringify({ type: chooser.value, ...Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read()])) });
    } catch {
      return "{"; // a list that is not JSON: the server says so
    }
  };
  return [make("div", {}, field("Event", chooser), about, box), value];
}
