import { it } from 'vitest';
import { expectFound } from '../../test-support/histories/expect-found.ts';
import { variants } from '../../test-support/histories/variants.ts';

/** These take half a minute of one core; a busy machine may take minutes. */
const WAIT_MS = 900_000;

it.each(Object.keys(variants))('a program with the mistake %s is found out', expectFound, WAIT_MS);
