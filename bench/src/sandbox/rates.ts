import { floor, prism, sandbox } from './contenders.ts';
import { Load, operations, type Operation } from './load.ts';
import { startServer, type Server } from './server.ts';

/** Calls a second of one server and one operation, round by round. */
export interface Rates {
  readonly server: string;
  readonly operation: Operation;
  readonly rates: readonly number[];
  /** Microseconds of the server's processor that a call took, round by round. */
  readonly cpu: readonly number[];
}

const extent = { rounds: 7, atATime: 16, warmUpCalls: 3_000 };
/** A round of each server takes about as long as the others': Prism is much slower. */
const callsOf = (name: string): number => (name.startsWith('Prism') ? 300 : 3_000);
const PRISM_PORT = 4_911;

/** Measures the servers in turn, another one first each round. */
export async function measureRates(onProgress: (text: string) => void): Promise<readonly Rates[]> {
  const servers: Server[] = [];
  try {
    for (const kind of [floor, sandbox, prism(PRISM_PORT)]) servers.push(await startServer(kind));
    const loads = servers.map((server) => ({ server, load: new Load(server) }));
    const rows = loads.flatMap(({ server: process, load }) =>
      operations.map((operation) => ({
        server: process.name,
        process,
        operation,
        load,
        rates: [] as number[],
        cpu: [] as number[],
      })),
    );
    for (const { server, operation, load } of rows) {
      onProgress(`warming up: ${server}, ${operation}`);
      await load.measure(operation, extent.warmUpCalls * (callsOf(server) / 3_000), extent.atATime);
    }
    for (let round = 0; round < extent.rounds; round += 1) {
      onProgress(`round ${round + 1} of ${extent.rounds}`);
      const first = (round * operations.length) % rows.length;
      for (const row of [...rows.slice(first), ...rows.slice(0, first)]) {
        const calls = callsOf(row.server);
        const before = row.process.cpuMicroseconds();
        row.rates.push(await row.load.measure(row.operation, calls, extent.atATime));
        row.cpu.push((row.process.cpuMicroseconds() - before) / calls);
      }
    }
    await Promise.all(loads.map(({ load }) => load.close()));
    return rows.map(({ server, operation, rates, cpu }) => ({ server, operation, rates, cpu }));
  } finally {
    await Promise.all(servers.map((server) => server.end()));
  }
}
