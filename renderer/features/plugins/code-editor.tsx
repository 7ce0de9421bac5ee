import { indentWithTab } from '@codemirror/commands'
import { python } from '@codemirror/lang-python'
import { basicSetup, EditorView } from 'codemirror'
import { EditorState } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'

interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const LOOKS = EditorView.theme({
  '&': { backgroundColor: 'var(--raised)', color: 'var(--ink)', fontSize: '0.84375rem', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--font-mono)', caretColor: 'var(--ink)', fontVariantLigatures: 'none' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
})

/** Source code in Python. Tab indents; Escape and then Tab leaves the box. */
export function CodeEditor({ label, value, onChange }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const listener = useRef(onChange)
  useEffect(() => {
    listener.current = onChange
  }, [onChange])
  useEffect(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        extensions: [
          basicSetup,
          keymap.of([indentWithTab]),
          python(),
          LOOKS,
          EditorView.cspNonce.of(nonce),
          EditorView.contentAttributes.of({ 'aria-label': label, dir: 'ltr' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) listener.current(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  return <div ref={place} className="h-[min(34rem,60dvh)] overflow-hidden rounded-medium border border-edge focus-within:border-accent" />
}
