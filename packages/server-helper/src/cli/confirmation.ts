import { type Invocation, UsageError } from './command.ts';
import { Conversation } from './conversation.ts';

/** The option of commands that ask a person first. */
export const yesOption = { yes: 'flag' } as const;

/**
 * Asks a person whether to go on; only a typed yes is one. `--yes` goes on without asking.
 *
 * @throws {@link UsageError} where nobody can be asked and `--yes` is not given.
 */
export async function isConfirmed(
  { terminal, values, input }: Invocation,
  question: string,
  command: string,
): Promise<boolean> {
  if (values['yes'] === true) return true;
  if (input?.isTTY !== true) {
    throw new UsageError(
      'It asks a person first, and the input is no terminal. Add --yes to go on without asking.',
      command,
    );
  }
  const conversation = new Conversation(terminal, input);
  try {
    if (await conversation.agrees(question, 'n')) return true;
    terminal.error('Nothing was done.');
    return false;
  } finally {
    conversation.end();
  }
}
