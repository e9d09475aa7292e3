import type { Response } from 'express';
import type { PayReply } from '../domain/command.ts';
import { pauseFor } from '../routes/pause.ts';
import type { SandboxParts } from '../sandbox-parts.ts';

/**
 * Does to a page's answer what a magic amount asked for: lets a webhook come first, holds the answer
 * back, or cuts the connection.
 * True: there is no answer any more.
 */
export async function keepAnswerPlan(
  { closing, courier }: SandboxParts,
  reply: PayReply,
  response: Response,
): Promise<boolean> {
  const { delayMs, cut } =
    reply.kind === 'decided' ? reply.answer : { delayMs: 0, cut: reply.kind === 'cut' };
  if (reply.kind === 'decided') await courier.ahead(reply.transaction);
  if (delayMs > 0) await pauseFor(response, closing, delayMs);
  if (cut) response.socket?.resetAndDestroy();
  return cut;
}
