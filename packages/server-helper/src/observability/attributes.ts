/** What is told of a step, a span or a measurement, by name. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
