import type { en } from './en.ts';

/** Every sentence of the shop: the English ones decide what there is. */
export type Texts = Widen<typeof en>;

type Widen<Text> = Text extends string
  ? string
  : Text extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Key in keyof Text]: Widen<Text[Key]> };
