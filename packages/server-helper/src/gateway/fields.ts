/** An object of a JSON body. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
