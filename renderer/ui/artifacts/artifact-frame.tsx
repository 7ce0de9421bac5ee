import { useEffect, useRef, useState } from 'react'
import { withBase } from '../../lib/base-path.ts'
import type { FrameKind } from './artifact-protocol.ts'
import { type FrameHearer, FrameLine } from './frame-line.ts'

interface Shown {
  readonly kind: FrameKind
  readonly source: string
  readonly isGrowing: boolean
}

/** One document; other content gets a new one. */
interface Sheet extends Shown {
  readonly id: number
}

/** Interval in ms between re-renders while a page is being streamed. */
const REDRAW_MILLISECONDS = 1_000

interface FrameProps {
  readonly sheet: Sheet
  /**
   * Returns the ticket that lets the frame reach other hosts; undefined for a frame without network
   * access.
   */
  readonly openTicket: (() => Promise<string | null>) | undefined
  readonly title: string
  /** True while it is rendered behind the previous one, to avoid flicker. */
  readonly isBehind: boolean
  readonly hearer: FrameHearer
}

const PLAIN = '/frames/artifact.html'

/**
 * Returns the URL of a frame; null until there is a ticket for it, which is good for one opening.
 */
function useAddress(openTicket: FrameProps['openTicket']): string | null {
  const [address, setAddress] = useState(openTicket ? null : PLAIN)
  useEffect(() => {
    let isOver = false
    void openTicket?.().then((ticket) => {
      if (!isOver) setAddress(ticket === null ? PLAIN : `${PLAIN}?network=${ticket}`)
    })
    return () => {
      isOver = true
    }
  }, [openTicket])
  return address
}

function Frame({ sheet, openTicket, title, isBehind, hearer }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const address = useAddress(openTicket)
  const hasNetwork = address !== null && address !== PLAIN
  const heard = useRef(hearer)
  useEffect(() => {
    heard.current = hearer
  }, [hearer])
  useEffect(() => {
    if (!frame.current) return
    const { kind, source, isGrowing } = sheet
    const isDark = document.documentElement.dataset.theme === 'dark'
    const line = new FrameLine(
      frame.current,
      { kind, source, isGrowing, isDark, hasNetwork },
      {
        onShown: () => heard.current.onShown(),
        onProblem: (problem) => heard.current.onProblem(problem),
        onSilent: (isSilent) => heard.current.onSilent(isSilent),
        onEnd: (reason) => heard.current.onEnd(reason),
        onFailed: (thrown) => heard.current.onFailed(thrown),
      },
    )
    return () => line.close()
  }, [sheet, address, hasNetwork])
  if (address === null) return null
  return (
    <iframe
      ref={frame}
      src={withBase(address)}
      sandbox="allow-scripts allow-forms"
      title={title}
      referrerPolicy="no-referrer"
      aria-hidden={isBehind || undefined}
      tabIndex={isBehind ? -1 : undefined}
      className="absolute inset-0 size-full border-0 bg-(--paper)"
      style={{ zIndex: isBehind ? 0 : 1 }}
    />
  )
}

interface ArtifactFrameProps extends Shown {
  readonly title: string
  readonly hearer: Omit<FrameHearer, 'onShown'>
  readonly openTicket: (() => Promise<string | null>) | undefined
  /** Called when other content starts to run. */
  readonly onRun: () => void
}

/** Returns the newest content that may be rendered, limited in rate. */
function usePaced({ kind, source, isGrowing }: Shown): Sheet {
  const [sheet, setSheet] = useState<Sheet>({ id: 0, kind, source, isGrowing })
  const drawnAt = useRef(0)
  useEffect(() => {
    const wait = isGrowing ? drawnAt.current + REDRAW_MILLISECONDS - performance.now() : 0
    const timer = setTimeout(
      () => {
        drawnAt.current = performance.now()
        setSheet((before) =>
          before.source === source && before.kind === kind && before.isGrowing === isGrowing
            ? before
            : { id: before.id + 1, kind, source, isGrowing },
        )
      },
      Math.max(0, wait),
    )
    return () => clearTimeout(timer)
  }, [kind, source, isGrowing])
  return sheet
}

/**
 * Runs an artifact in a frame that does not have this page's origin, and no network access beyond
 * what the reader allowed.
 */
export function ArtifactFrame({ title, openTicket, hearer, onRun, ...shown }: ArtifactFrameProps) {
  const newest = usePaced(shown)
  const [drawn, setDrawn] = useState<Sheet | null>(null)
  const run = useRef(onRun)
  useEffect(() => {
    run.current = onRun
  }, [onRun])
  useEffect(() => run.current(), [newest])
  const sheets = drawn && drawn.id !== newest.id ? [drawn, newest] : [newest]
  return (
    <div className="relative isolate min-h-0 flex-1">
      {sheets.map((sheet) => (
        <Frame
          key={sheet.id}
          sheet={sheet}
          openTicket={openTicket}
          title={title}
          isBehind={sheets.length > 1 && sheet === newest}
          hearer={{ ...hearer, onShown: () => setDrawn(sheet) }}
        />
      ))}
    </div>
  )
}
