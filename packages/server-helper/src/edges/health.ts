import type { Backlog } from '../stores/store.ts';
import type { Answer } from './answer.ts';

/** `GET /health`: 200 while payments can be recorded, else 503. */
export async function health(readBacklog: () => Promise<Backlog>): Promise<Answer> {
  try {
    const backlog = await readBacklog();
    return { status: 200, json: { status: 'ok', store: 'ok', backlog } };
  } catch {
    return { status: 503, json: { status: 'unavailable', store: 'unavailable' } };
  }
}
