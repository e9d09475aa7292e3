import { expect, it } from 'vitest';
import { readDocComment } from './doc-comment.ts';

it('a doc comment is taken apart at its tags, wherever on a line they stand', () => {
  const { text, tags } = readDocComment(
    'Gives money\nback.\n\nIn part. @defaultValue `"SAR"`\n@throws {@link GatewayError} when\nrefused.',
  );
  expect(text).toBe('Gives money back.\n\nIn part.');
  expect(Object.fromEntries(tags)).toEqual({
    defaultValue: '`"SAR"`',
    throws: '{@link GatewayError} when refused.',
  });
});

it('an example keeps its lines, and an e-mail address is no tag', () => {
  const example = "const customer = {\n  email: 'noura@example.com',\n};";
  expect(readDocComment(`Text.\n@example\n${example}`).tags.get('example')).toBe(example);
});
