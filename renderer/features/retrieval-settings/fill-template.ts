const PLACES = /\{\{\s*(CONTEXT|QUERY)\s*\}\}|\[(context|query)\]/gi

/** The template as a model would read it, with sample sources and a sample question. */
export const fillTemplate = (
  template: string,
  sample: { readonly context: string; readonly query: string },
): string =>
  template.replace(PLACES, (_, name?: string, older?: string) =>
    (name ?? older)?.toLowerCase() === 'query' ? sample.query : sample.context,
  )
