import { copyFileSync, writeFileSync } from 'node:fs';
import {
  fidelityPath,
  fidelityText,
  openPointsPath,
  openPointsText,
  profileSchema,
  profileSchemaCopies,
} from './fidelity.ts';

// `npm run tool -- fidelity` writes the report that the sandbox's package carries.
writeFileSync(fidelityPath, fidelityText());
// The helper carries what the open points are about.
writeFileSync(openPointsPath, openPointsText());
// The packages that read profiles carry their schema.
for (const copy of profileSchemaCopies) copyFileSync(profileSchema, copy);
