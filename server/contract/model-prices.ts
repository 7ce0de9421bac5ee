import { defineEndpoints } from './endpoint.ts'
import { z } from './lazy-zod.ts'

/**
 * Price per million tokens. `model` is an id, or a pattern in which `*` stands for any text; the
 * first match counts.
 */
export const modelPriceSchema = z
  .object({
    model: z.string().trim().min(1).max(512),
    input: z.number().min(0).max(1_000_000),
    output: z.number().min(0).max(1_000_000),
    currency: z.string().regex(/^[A-Z]{3}$/, 'is not a currency code such as EUR'),
  })
  .meta({ id: 'ModelPrice' })
export type ModelPrice = z.output<typeof modelPriceSchema>
export const modelPricesSchema = z.array(modelPriceSchema).max(2000)

export const modelPriceEndpoints = defineEndpoints(
  { domain: 'models', tag: 'Models', root: '/api/v1/models/prices' },
  {
    prices: {
      method: 'GET',
      path: '',
      response: z.array(modelPriceSchema),
      summary: 'The price table.',
    },
    updatePrices: {
      method: 'POST',
      path: '',
      auth: 'admin',
      body: z.object({ prices: modelPricesSchema }),
      response: z.array(modelPriceSchema),
      errors: [400],
      summary: 'Replaces the price table.',
    },
  },
)
