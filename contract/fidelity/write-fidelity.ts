import { copyFileSync, writeFileSync } from 'node:fs';
import { fidelityPath, fidelityText, profileSchema, profileSchemaCopy } from './fidelity.ts';

// `npm run fidelity` writes the report that the sandbox's package carries.
writeFileSync(fidelityPath, fidelityText());
// The package carries the schema of profiles too.
copyFileSync(profileSchema, profileSchemaCopy);
