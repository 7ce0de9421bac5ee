import { z } from './lazy-zod.ts'
import { defineEndpoints } from './endpoint.ts'

const MEBIBYTE = 1024 * 1024

/** Chat message to be typeset; further fields of clients are ignored. Times are unix seconds. */
const printedMessageSchema = z.looseObject({
  role: z.string().max(200).nullish(),
  content: z.unknown().optional(),
  model: z.string().max(512).nullish(),
  timestamp: z.number().nullish(),
})

/** Chat to be typeset as pages. */
export const printedChatSchema = z
  .object({ title: z.string().max(10_000), messages: z.array(printedMessageSchema).max(100_000) })
  .meta({
    id: 'PrintedChat',
    example: {
      title: 'Tea',
      messages: [{ role: 'user', content: 'How long does green tea steep?' }],
    },
  })
export type PrintedChat = z.output<typeof printedChatSchema>

/** Utility endpoints for clients. */
export const utilsEndpoints = defineEndpoints(
  { domain: 'utils', tag: 'System', root: '/api/v1/utils' },
  {
    pdf: {
      method: 'POST',
      path: '/pdf',
      reply: 'stream',
      bodyLimit: 8 * MEBIBYTE,
      body: printedChatSchema,
      response: z.unknown(),
      errors: [400, 413, 429, 503],
      summary:
        'A chat as PDF. Signs the font has none for, such as East Asian ones, appear as boxes.',
    },
    formatCode: {
      method: 'POST',
      path: '/code/format',
      auth: 'admin',
      bodyLimit: 8 * MEBIBYTE,
      body: z
        .object({ code: z.string().max(MEBIBYTE) })
        .meta({ id: 'PythonCode', example: { code: 'x = {  1:2 }' } }),
      response: z.object({ code: z.string() }),
      errors: [400, 413, 502, 503],
      summary:
        'Python formatted by `black`, which is installed on first use; 400 with the place of a syntax error.',
    },
    markdown: {
      method: 'POST',
      path: '/markdown',
      bodyLimit: 8 * MEBIBYTE,
      body: z
        .object({ md: z.string().max(MEBIBYTE) })
        .meta({ id: 'MarkdownText', example: { md: '**Hello**' } }),
      response: z.object({ html: z.string() }),
      errors: [400, 413, 429, 503],
      summary:
        'Markdown as HTML without scripts: HTML within it is shown as text, and links lead to the web or to mail only.',
    },
  },
)
