// Create elements. Text from a log is only ever inserted as text.

export function make(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...content.filter((each) => each !== null && each !== undefined && each !== ""));
  return made;
}

export const byId = (ident) => document.getElementById(ident);

export const words = (token) => String(token).replace(/_/g, " ");

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// A type of event or order in words: "ForceMoved" as "force moved".
export const typeWords = (type) => String(type || "").replace(/(?!^)([A-Z])/g, " $1").toLowerCase();

// Plain data as short text.
export function told(value) {
  if (Array.isArray(value)) return value.map(told).join(", ");
  if (value && typeof value === "object") return Object.entries(value).map(([key, each]) => `${words(key)} ${told(each)}`).join("; ");
  return String(value);
}
