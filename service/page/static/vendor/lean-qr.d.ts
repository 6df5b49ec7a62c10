/** Only the type: the file itself, which is minified, is not checked. */
export function generate(text: string): {size: number; get(x: number, y: number): boolean};
