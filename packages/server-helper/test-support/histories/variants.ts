import type { Variant } from './variant.ts';
import { looking } from './variants/looking.ts';
import { moving } from './variants/moving.ts';
import { storing } from './variants/storing.ts';

/** Every mistake that the histories must find. */
export const variants: readonly Variant[] = [...looking, ...storing, ...moving];
