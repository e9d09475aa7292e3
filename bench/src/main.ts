/** `npm run bench -- <name>` runs one measurement; without a name it lists what there is. */
import { measureWidget } from './widget/widget.ts';

const benches: Readonly<Record<string, { about: string; run: () => Promise<string> }>> = {
  widget: {
    about: 'sizes of the built elements beside floors, and click to request beside a plain button',
    run: measureWidget,
  },
};

const [name] = process.argv.slice(2);
const bench = name === undefined ? undefined : benches[name];
if (bench) {
  console.log(await bench.run());
} else {
  if (name !== undefined) {
    console.error(`There is no bench named ${name}.`);
    process.exitCode = 1;
  }
  console.log('npm run bench -- <name>');
  for (const [known, { about }] of Object.entries(benches)) console.log(`  ${known}  ${about}`);
}
