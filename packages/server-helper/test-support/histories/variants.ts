import type { Variants } from './variants/parts.ts';
import { afterwards } from './variants/afterwards.ts';
import { checking } from './variants/checking.ts';
import { moving } from './variants/moving.ts';
import { storing } from './variants/storing.ts';

/** Every mistake that the histories must find. */
export const variants: Variants = { ...checking, ...storing, ...moving, ...afterwards };
