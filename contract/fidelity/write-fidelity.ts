import { writeFileSync } from 'node:fs';
import { fidelityPath, fidelityText } from './fidelity.ts';

// `npm run fidelity` writes the report that the sandbox's package carries.
writeFileSync(fidelityPath, fidelityText());
