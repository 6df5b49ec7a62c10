/** The games as the service describes them, each read once. */

/** Reads the catalogue through an `Api`. */
export class Catalogue {
  #api;
  #entries = new Map();
  #list;

  /** @param {import("./api.js").Api} api */
  constructor(api) {
    this.#api = api;
  }

  /** The games in the order of the catalogue: `{id, name, summary, kind}` of each. */
  async list() {
    this.#list ??= (await this.#api.request("GET", "/v1/variants")).body.variants;
    return this.#list;
  }

  /** Everything that the catalogue says about a game. Raises `Problem`. */
  async entry(variant) {
    if (!this.#entries.has(variant)) {
      const path = `/v1/variants/${encodeURIComponent(variant)}`;
      this.#entries.set(variant, (await this.#api.request("GET", path)).body);
    }
    return this.#entries.get(variant);
  }
}
