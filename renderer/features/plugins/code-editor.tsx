import { indentWithTab } from '@codemirror/commands'
import { python } from '@codemirror/lang-python'
import { syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { basicSetup, EditorView } from 'codemirror'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { editorPhrases } from './editor-phrases.ts'
import { highlightStyle } from './highlight-style.ts'

/** A line to show; each new object triggers it once. */
export interface WantedLine {
  readonly line: number
}

interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Line that is selected and focused. */
  readonly wanted?: WantedLine | null
  readonly readOnly?: boolean
}

const LOOKS = EditorView.theme({
  '&': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    fontSize: '0.84375rem',
    height: '100%',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { lineHeight: '1.3125rem' },
  '.cm-content': {
    fontFamily: 'var(--font-mono)',
    caretColor: 'var(--ink)',
    fontVariantLigatures: 'none',
    paddingBlock: '0.5rem',
  },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    {
      backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent) !important',
    },
  '.cm-selectionMatch, .cm-searchMatch': {
    backgroundColor: 'color-mix(in srgb, var(--warning) 26%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--pressed)',
    outline: '1px solid var(--edge)',
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--hover)', border: 'none', color: 'var(--muted)' },
  '.cm-panels': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--ink)',
    borderColor: 'var(--line) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
})

function showLine(editor: EditorView, line: number): void {
  const { doc } = editor.state
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines))
  editor.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  })
  editor.dom.scrollIntoView({ block: 'nearest' })
  editor.focus()
}

/** Editor for Python source code. Tab indents; Escape followed by Tab leaves the box. */
export function CodeEditor({
  label,
  value,
  onChange,
  wanted = null,
  readOnly = false,
}: CodeEditorProps) {
  const { t } = useTranslation()
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  // Initial value and change callback of the editor; changing them does not recreate it.
  const latest = useRef({ value, onChange })
  useEffect(() => {
    latest.current = { value, onChange }
  }, [value, onChange])
  useEffect(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          basicSetup,
          syntaxHighlighting(highlightStyle),
          keymap.of([indentWithTab]),
          python(),
          LOOKS,
          EditorState.phrases.of(editorPhrases(t)),
          EditorState.readOnly.of(readOnly),
          EditorView.cspNonce.of(nonce),
          EditorView.contentAttributes.of({ 'aria-label': label, dir: 'ltr', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            const text = update.docChanged ? update.state.doc.toString() : null
            if (text !== null && text !== latest.current.value) latest.current.onChange(text)
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, readOnly, t])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    if (wanted && view.current) showLine(view.current, wanted.line)
  }, [wanted])
  return (
    <div
      ref={place}
      dir="ltr"
      className="h-[min(34rem,60dvh)] overflow-hidden rounded-medium border border-edge focus-within:border-accent"
    />
  )
}
