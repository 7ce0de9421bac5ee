import { createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { GrammarName } from './grammar-names.ts'
import { loadGrammar } from './highlight-languages.ts'
import type { ColouredLine, HighlightReply, HighlightRequest } from './highlight-protocol.ts'

const THEMES = { light: 'github-light-high-contrast', dark: 'github-dark-default' } as const

/**
 * Time limit in ms per line: the first line of a language waits until its patterns are compiled; a
 * line that exceeds the limit is highlighted no further.
 */
const LONGEST_LINE_MILLISECONDS = 5000

const started: Promise<HighlighterCore> = createHighlighterCore({
  engine: createJavaScriptRegexEngine({ forgiving: true }),
  themes: [
    import('shiki/themes/github-light-high-contrast.mjs'),
    import('@shikijs/themes/github-dark-default'),
  ],
  langs: [],
})

const loading = new Map<GrammarName, Promise<void>>()

async function ensureGrammar(highlighter: HighlighterCore, name: GrammarName): Promise<void> {
  const known = loading.get(name) ?? highlighter.loadLanguage(() => loadGrammar(name))
  loading.set(name, known)
  await known
}

const colourOf = (style: unknown, name: string): string | null => {
  const colour =
    typeof style === 'object' && style !== null
      ? (style as Record<string, string>)[name]
      : undefined
  return colour ?? null
}

async function highlight({ code, grammar }: HighlightRequest): Promise<readonly ColouredLine[]> {
  const highlighter = await started
  await ensureGrammar(highlighter, grammar)
  const { tokens } = highlighter.codeToTokens(code, {
    lang: grammar,
    themes: THEMES,
    defaultColor: false,
    tokenizeTimeLimit: LONGEST_LINE_MILLISECONDS,
  })
  return tokens.map((line) =>
    line.map(
      (token) =>
        [
          token.content,
          colourOf(token.htmlStyle, '--shiki-light'),
          colourOf(token.htmlStyle, '--shiki-dark'),
        ] as const,
    ),
  )
}

async function answer(request: HighlightRequest): Promise<HighlightReply> {
  try {
    return { id: request.id, lines: await highlight(request) }
  } catch {
    // If a grammar fails, the code stays plain, which the reader can see.
    return { id: request.id, lines: null }
  }
}

self.addEventListener('message', (event: MessageEvent<HighlightRequest>) => {
  void answer(event.data).then((reply) => self.postMessage(reply))
})
