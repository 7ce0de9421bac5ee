import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from './code-block.tsx'
import { type DrawDiagram, parseDiagramMessage } from './diagram-protocol.ts'
import './diagram.css'
import { withBase } from '../../lib/base-path.ts'

const TALLEST = 1200
const LONGEST_SOURCE = 50_000

function toDrawing(source: string): DrawDiagram {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  return {
    type: 'draw',
    source,
    isDark: document.documentElement.dataset.theme === 'dark',
    ink: colour('--ink'),
    line: colour('--edge'),
    surface: colour('--sunken'),
    accent: colour('--accent-soft'),
  }
}

/** Draws again when the theme changes. */
function useThemeName(): string {
  const [name, setName] = useState(document.documentElement.dataset.theme ?? '')
  useEffect(() => {
    const observer = new MutationObserver(() =>
      setName(document.documentElement.dataset.theme ?? ''),
    )
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return name
}

type Drawing = { state: 'waiting' } | { state: 'drawn'; height: number } | { state: 'failed' }

/**
 * A diagram, drawn in a frame of its own that has neither this page's origin nor a network. The
 * code stands in its place until it is drawn, and stays when it cannot be.
 */
export function Diagram({ source }: { source: string }) {
  const { t } = useTranslation()
  const frame = useRef<HTMLIFrameElement>(null)
  const isReady = useRef(false)
  const [drawing, setDrawing] = useState<Drawing>({ state: 'waiting' })
  const theme = useThemeName()

  useEffect(() => {
    const draw = (): void => frame.current?.contentWindow?.postMessage(toDrawing(source), '*')
    const listen = (event: MessageEvent): void => {
      if (!frame.current || event.source !== frame.current.contentWindow) return
      const message = parseDiagramMessage(event.data)
      if (message?.type === 'ready') {
        isReady.current = true
        draw()
      }
      if (message?.type === 'drawn')
        setDrawing({ state: 'drawn', height: Math.min(Math.ceil(message.height), TALLEST) })
      if (message?.type === 'failed') setDrawing({ state: 'failed' })
    }
    window.addEventListener('message', listen)
    if (isReady.current) draw()
    return () => window.removeEventListener('message', listen)
  }, [source, theme])

  const isDrawn = drawing.state === 'drawn'
  if (source.length > LONGEST_SOURCE) return <CodeBlock code={source} language="mermaid" />
  return (
    <div className="diagram-box">
      {drawing.state !== 'failed' && (
        <figure className="diagram" data-drawn={isDrawn || undefined}>
          <iframe
            ref={frame}
            src={withBase('/frames/diagram.html')}
            sandbox="allow-scripts"
            title={t('chat.diagram.label')}
            referrerPolicy="no-referrer"
            style={{ height: isDrawn ? drawing.height : 0 }}
          />
        </figure>
      )}
      {isDrawn ? (
        <details className="diagram-source">
          <summary>{t('chat.diagram.source')}</summary>
          <CodeBlock code={source} language="mermaid" />
        </details>
      ) : (
        <CodeBlock code={source} language="mermaid" />
      )}
    </div>
  )
}
