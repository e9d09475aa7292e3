import { startSandbox } from '@pay-button/gateway-sandbox';
import { isIn, silentCells } from './exceptions.ts';
import { journeys, type JourneyName } from './journeys.ts';
import { playCell, type Outcome } from './play-cell.ts';
import type { Reading } from './readings.ts';

/** What became of a reading's journeys. */
export interface Row {
  readonly reading: Reading;
  readonly cells: ReadonlyMap<JourneyName, Outcome>;
}

/** Plays a reading's journeys at a sandbox that reads so, each by a tenant of its own. */
export async function playReading(
  reading: Reading,
  only: readonly JourneyName[] = reading.journeys,
): Promise<Row> {
  const { policy, profile } = reading;
  const sandbox = await startSandbox({ port: 0, policy, profile });
  try {
    const played = journeys.filter(
      (journey) => reading.journeys.includes(journey.name) && only.includes(journey.name),
    );
    const cells = await Promise.all(
      played.map(async (journey): Promise<[JourneyName, Outcome]> => {
        const outcome = await playCell(sandbox, reading, journey);
        const isSilent = outcome.kind === 'failure' && isIn(silentCells, reading, journey.name);
        return [journey.name, isSilent ? { ...outcome, kind: 'silent' } : outcome];
      }),
    );
    return { reading, cells: new Map(cells) };
  } finally {
    await sandbox.close();
  }
}
