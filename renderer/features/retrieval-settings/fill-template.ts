const PLACES = /\{\{\s*(CONTEXT|QUERY)\s*\}\}|\[(context|query)\]/gi

/** Returns the template as a model would receive it, with sample sources and a sample question. */
export const fillTemplate = (
  template: string,
  sample: { readonly context: string; readonly query: string },
): string =>
  template.replace(PLACES, (_, name?: string, older?: string) =>
    (name ?? older)?.toLowerCase() === 'query' ? sample.query : sample.context,
  )
