import { baseStyle } from './base.ts';
import { contentStyle } from './content.ts';
import { figureStyle } from './figures.ts';
import { frameStyle } from './frame.ts';
import { gatewayStyle } from './gateway.ts';

/** The one style sheet of the back office. */
export const style = [baseStyle, frameStyle, contentStyle, figureStyle, gatewayStyle].join('\n');
