import { Download, Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { Suspense, useContext, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadText } from '../../lib/download.ts'
import { ArtifactsContext } from '../artifacts/artifacts-context.ts'
import { BarButton } from './bar-button.tsx'
import { CodeBlock } from './code-block.tsx'
import { type DrawDiagram, parseDiagramMessage } from './diagram-protocol.ts'
import './diagram.css'
import { withBase } from '../../lib/base-path.ts'

/** Maximum height in pixels; taller drawings scroll. */
const TALLEST = 20_000
const LONGEST_SOURCE = 50_000

function toDrawing(source: string): DrawDiagram {
  // A theme colour can only be resolved on an element that uses it.
  const probe = document.body.appendChild(document.createElement('span'))
  const colour = (name: string): string => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const drawing: DrawDiagram = {
    type: 'draw',
    source,
    isDark: document.documentElement.dataset.theme === 'dark',
    ink: colour('--ink'),
    line: colour('--edge'),
    surface: colour('--sunken'),
    accent: colour('--accent-soft'),
  }
  probe.remove()
  return drawing
}

/** Returns the theme name, so that a theme change triggers a redraw. */
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

type Drawing =
  | { state: 'waiting' }
  | { state: 'drawn'; width: number; height: number; svg: string }
  | { state: 'failed' }

const SMALLEST_SCALE = 0.5
const LARGEST_SCALE = 4
const STEP = 1.5

interface BarProps {
  readonly scale: number
  readonly onScale: (scale: number) => void
  readonly svg: string
  readonly source: string
}

/** Actions on a diagram. */
function DiagramBar({ scale, onScale, svg, source }: BarProps) {
  const { t } = useTranslation()
  const artifacts = useContext(ArtifactsContext)
  const save = (): void => downloadText('diagram.svg', svg, 'image/svg+xml')
  return (
    <div className="diagram-bar">
      <BarButton
        label={t('chat.diagram.smaller')}
        icon={<ZoomOut />}
        disabled={scale <= SMALLEST_SCALE}
        onClick={() => onScale(Math.max(SMALLEST_SCALE, scale / STEP))}
      />
      <BarButton
        label={t('chat.diagram.larger')}
        icon={<ZoomIn />}
        disabled={scale >= LARGEST_SCALE}
        onClick={() => onScale(Math.min(LARGEST_SCALE, scale * STEP))}
      />
      <BarButton
        label={t('chat.diagram.fit')}
        icon={<Maximize />}
        disabled={scale === 1}
        onClick={() => onScale(1)}
      />
      <BarButton label={t('chat.diagram.save')} icon={<Download />} onClick={save} />
      {artifacts && (
        <Suspense>
          <artifacts.Opener code={source} language="mermaid" />
        </Suspense>
      )}
    </div>
  )
}

/**
 * A diagram, drawn in a separate frame with neither this page's origin nor network access. Its code
 * is shown until it is drawn, and stays if drawing fails.
 */
export function Diagram({ source }: { source: string }) {
  const { t } = useTranslation()
  const frame = useRef<HTMLIFrameElement>(null)
  const isReady = useRef(false)
  const [drawing, setDrawing] = useState<Drawing>({ state: 'waiting' })
  const [scale, setScale] = useState(1)
  const theme = useThemeName()
  const changeScale = (next: number): void => {
    setScale(next)
    frame.current?.contentWindow?.postMessage({ type: 'scale', scale: next }, '*')
  }

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
        setDrawing({
          state: 'drawn',
          width: message.width,
          height: Math.min(Math.ceil(message.height), TALLEST),
          svg: message.svg,
        })
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
          <section
            className="diagram-view"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
            tabIndex={isDrawn ? 0 : -1}
            aria-label={t('chat.diagram.label')}
          >
            <iframe
              ref={frame}
              src={withBase('/frames/diagram.html')}
              sandbox="allow-scripts"
              title={t('chat.diagram.label')}
              referrerPolicy="no-referrer"
              style={
                isDrawn
                  ? { height: drawing.height, minWidth: scale === 1 ? 0 : drawing.width * scale }
                  : undefined
              }
            />
          </section>
          {isDrawn && (
            <DiagramBar scale={scale} onScale={changeScale} svg={drawing.svg} source={source} />
          )}
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
