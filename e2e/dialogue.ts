/** A typical conversation, for screenshots of the UI. */
export const DIALOGUE = Object.freeze([
  {
    question:
      'I want to bake sourdough for the first time this weekend. How do I plan it around a normal Saturday?',
    answer: `You can fit it around almost anything: the dough needs you for about **40 minutes in total**, the rest is waiting.

| When | What | Hands on |
|---|---|---|
| Friday, 21:00 | Feed the starter | 5 min |
| Saturday, 9:00 | Mix flour, water, starter and salt | 10 min |
| 9:30 – 11:30 | Fold the dough every half hour | 4 × 2 min |
| 15:00 | Shape it and put it into the fridge | 10 min |
| Sunday, 9:00 | Bake, 45 minutes at 240 °C | 10 min |

Two things decide whether it works:

1. **The starter is ready** when a spoonful of it floats in water.
2. **The dough is ready** when it has grown by half.`,
  },
  {
    question: 'How much of everything for one loaf of 900 g?',
    answer: `Bakers count in percent of the flour, so one short function gives you any size:

\`\`\`ts
const share = { flour: 1, water: 0.72, starter: 0.2, salt: 0.02 }
const total = Object.values(share).reduce((sum, part) => sum + part)

export function recipe(loaf: number): Record<string, number> {
  const flour = loaf / total
  return Object.fromEntries(Object.entries(share).map(([name, part]) => [name, Math.round(flour * part)]))
}
\`\`\`

For 900 g that is **464 g flour, 334 g water, 93 g starter and 9 g salt**. The wetness of the dough is $$\\frac{334 + 46}{464 + 46} \\approx 75\\,\\%$$ once the starter is counted in.`,
  },
])

const TEXT = { input_modalities: ['text'] }
const PICTURES = { input_modalities: ['text', 'image'] }

/**
 * Models of the pictures with what their provider tells of them: those that people run themselves,
 * and one of no known family.
 */
export const MODELS: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map([
  ['llama-3.3-70b', { context_length: 131_072, architecture: TEXT }],
  [
    'qwen3-32b',
    { context_length: 40_960, architecture: TEXT, supported_parameters: ['reasoning', 'tools'] },
  ],
  ['gemma-3-27b', { context_length: 131_072, architecture: PICTURES }],
  ['mistral-small-3.2', { context_length: 131_072, architecture: PICTURES }],
  [
    'gpt-oss-120b',
    { context_length: 131_072, architecture: TEXT, supported_parameters: ['reasoning', 'tools'] },
  ],
  [
    'aurora-small',
    { context_length: 8192, architecture: TEXT, description: 'Short answers, fast.' },
  ],
])

/** Titles of further chats, so that the list looks used. */
export const OTHER_CHATS = Object.freeze([
  'Letter to the landlord',
  'Birthday ideas for Noor',
  'Why is the build so slow?',
  'Summary of the board meeting',
  'Train or ferry to Gothenburg',
  'Regular expression for dates',
  'Names for a small bakery',
  'Explain inflation to a child',
])
