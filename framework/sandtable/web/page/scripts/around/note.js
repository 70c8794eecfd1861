// A private note, kept by the server for the holder of this link.

const REST = 600;

export class PrivateNote {
  constructor(wire, field) {
    Object.assign(this, { wire, field, timer: null });
    field.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.save(), REST);
    });
    field.addEventListener("blur", () => this.save());
  }

  save() {
    clearTimeout(this.timer);
    if (this.field.value === this.saved) return;
    if (this.wire.send({ t: "note", text: this.field.value })) this.saved = this.field.value;
  }

  // Text that is being written here is not replaced.
  show(text, seats) {
    this.field.parentElement.hidden = !seats.length;
    if (document.activeElement === this.field && this.field.value !== this.saved) return;
    this.field.value = this.saved = text;
  }
}
