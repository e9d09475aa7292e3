import { root } from '../process/root.ts';
import { houseFiles } from './house-files.ts';
import { inspect } from './inspect.ts';

const findings = inspect(houseFiles(root));
for (const finding of findings) console.error(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
