import { type Bilingual, both } from '../texts/language.ts';

/** Something the shop sells. */
export interface Product {
  readonly name: Bilingual;
  readonly description: Bilingual;
  /** Price in whole halalas, value added tax included. */
  readonly halalas: number;
}

const products: Readonly<Record<string, Product>> = {
  coffee: {
    name: { en: 'Jazan coffee beans, 1\u00a0kg', ar: 'بُن جازاني محمّص، 1\u00a0كجم' },
    description: both(`Single-origin Khawlani beans from the Fayfa terraces, lightly roasted.
      بُن خولاني من مدرجات فيفاء، محمّص تحميصًا فاتحًا.`),
    halalas: 11_500,
  },
  dallah: {
    name: { en: 'Brass dallah', ar: 'دلّة نحاسية' },
    description: both(`The pot every majlis starts with. Holds six small cups.
      رفيقة كل مجلس، تكفي ستة فناجين.`),
    halalas: 24_900,
  },
  'finjan-set': {
    name: { en: 'Six finjan cups', ar: 'طقم ستة فناجين' },
    description: both(`Thin porcelain without handles, each with its own pattern.
      خزف رقيق بلا مقابض، لكل فنجان نقشته.`),
    halalas: 8_950,
  },
  dates: {
    name: { en: 'Ajwa dates, 500\u00a0g', ar: 'تمر عجوة المدينة، 500\u00a0جم' },
    description: both(`Soft and dark, from this season’s harvest in Madinah.
      عجوة لينة داكنة من حصاد هذا الموسم.`),
    halalas: 6_800,
  },
  cardamom: {
    name: { en: 'Green cardamom, 100\u00a0g', ar: 'هيل أخضر، 100\u00a0جم' },
    description: both(`Whole pods. Crush them just before brewing.
      حبّ كامل، يُدقّ قبل الطبخ مباشرة.`),
    halalas: 2_475,
  },
  kettle: {
    name: { en: 'Gooseneck kettle', ar: 'إبريق تقطير' },
    description: both(`A slow, steady pour and a thermometer in the lid.
      صبّ هادئ دقيق، وميزان حرارة في الغطاء.`),
    halalas: 34_500,
  },
  grinder: {
    name: { en: 'Hand grinder', ar: 'مطحنة يدوية' },
    description: both(`Steel burrs, forty steps, from Turkish to cold brew.
      أسنان فولاذية وأربعون درجة، من التركية إلى الباردة.`),
    halalas: 129_900,
  },
  mug: {
    name: { en: 'Palm mug', ar: 'كوب النخلة' },
    description: both(`Stoneware, glazed by hand in Riyadh.
      خزف حجري مزجّج يدويًا في الرياض.`),
    halalas: 5_900,
  },
  sticker: {
    name: { en: 'Finjan sticker', ar: 'ملصق فنجان' },
    description: { en: 'For laptops with good taste.', ar: 'لأجهزة أصحاب الذوق الرفيع.' },
    halalas: 100,
  },
  halala: {
    name: { en: 'One coffee bean', ar: 'حبّة بُن واحدة' },
    description: both(`For one halala. The smallest payment there is.
      بهللة واحدة، أصغر دفعة ممكنة.`),
    halalas: 1,
  },
  'limit-tester': {
    name: { en: 'The limit tester', ar: 'آلة اختبار الحدود' },
    description: both(`An espresso machine at the price where limits begin.
      آلة إسبريسو بسعرٍ تبدأ عنده الحدود.`),
    halalas: 990_000,
  },
  roaster: {
    name: { en: 'Copper roaster', ar: 'محمصة نحاسية' },
    description: both(`Two kilos an hour, and a smell the whole street knows.
      كيلوان في الساعة، ورائحة يعرفها الحيّ كله.`),
    halalas: 990_900,
  },
};

/**
 * The whole range, by its article numbers (`sku`). `halala` and `limit-tester` let a tester reach any
 * amount: the sandbox reads amounts between 9,900.00 and 9,909.99 as instructions.
 */
export const catalog: ReadonlyMap<string, Product> = new Map(Object.entries(products));

/** A product's price in whole halalas; 0 for what the shop does not sell. */
export function priceOf(sku: string): number {
  return catalog.get(sku)?.halalas ?? 0;
}

/** The currency of every price in the shop. */
export const CURRENCY = 'SAR';

/** Writes whole halalas as a decimal string with two decimals: `11500` gives `"115.00"`. */
export function decimal(halalas: number): string {
  const digits = String(halalas).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads a decimal string with two decimals as whole halalas: `"115.00"` gives `11500`. */
export function halalasOf(amount: string): number {
  return Number(amount.replace('.', ''));
}

/** The 15 % value added tax inside a price that includes it, in halalas, half a halala upwards. */
export function includedVat(halalas: number): number {
  return Math.floor((halalas * 30 + 115) / 230);
}
