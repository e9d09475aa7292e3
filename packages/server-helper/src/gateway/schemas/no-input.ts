import { z } from 'zod';

/** An operation that takes nothing but options. */
export const noInput = z.strictObject({}).optional();
