import { sendJson, type EngineCall } from './call.ts'
import type { LoadedModels } from './loaded-models.ts'
import { rankTexts, readDocuments, readQuery } from './rank-texts.ts'
import { readKeepAlive } from './read-options.ts'

/** Ranks texts by their relevance to a query, in the format that rerankers share. */
export async function serveRanking(models: LoadedModels, call: EngineCall): Promise<void> {
  const { body, model: name, file, signal, response } = call
  const texts = readDocuments(body)
  const query = readQuery(body)
  const { top_n: most } = body
  const keepAlive = readKeepAlive(body['keep_alive'])
  await models.use({ file, keepAlive, signal }, async (model) => {
    const { scores, tokens } = await rankTexts(model, { query, texts }, signal)
    if (signal.aborted) return response.destroy()
    const results = scores
      .map((score, index) => ({
        index,
        relevance_score: score,
        ...(body['return_documents'] === true && { document: { text: texts[index] } }),
      }))
      .toSorted((one, other) => other.relevance_score - one.relevance_score)
    return sendJson(response, 200, {
      model: name,
      object: 'list',
      results: typeof most === 'number' && most > 0 ? results.slice(0, most) : results,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    })
  })
}
