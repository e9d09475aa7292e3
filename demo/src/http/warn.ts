/** Tells whoever runs the shop that something failed. It is given no shopper's data. */
export type Warn = (what: string, error: unknown) => void;
