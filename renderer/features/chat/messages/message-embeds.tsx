import { ExternalLink as LinkIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseArtifactMessage, type ShowArtifact } from '../../../ui/artifacts/artifact-protocol.ts'
import { ExternalLink } from '../../../ui/markdown/external-link.tsx'
import { withBase } from '../../../lib/base-path.ts'

const TALLEST = 900
const LEAST = 24
const FIRST_HEIGHT = 160
const DRAWN_AFTER = 30

const isAddress = (embed: string): boolean => /^(https?:)?\/\//.test(embed)

const toOrder = (source: string): ShowArtifact => ({
  type: 'show',
  kind: 'html',
  source,
  isDark: document.documentElement.dataset.theme === 'dark',
  isGrowing: false,
  isInline: true,
  runtime: '',
})

/** HTML attached by a tool, in a frame with neither this page's origin nor network access. */
function HtmlEmbed({ html, label }: { html: string; label: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(FIRST_HEIGHT)
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const listen = ({ source, data }: MessageEvent): void => {
      if (!frame.current || source !== frame.current.contentWindow) return
      const message = parseArtifactMessage(data)
      if (message?.type === 'ready') frame.current.contentWindow?.postMessage(toOrder(html), '*')
      if (message?.type !== 'height') return
      // A page may report sizes more often than they can be rendered.
      clearTimeout(waiting)
      waiting = setTimeout(
        () => setHeight(Math.max(LEAST, Math.min(message.height, TALLEST))),
        DRAWN_AFTER,
      )
    }
    window.addEventListener('message', listen)
    return () => {
      window.removeEventListener('message', listen)
      clearTimeout(waiting)
    }
  }, [html])
  return (
    <iframe
      // A document is written only once: other content gets a new frame.
      key={html}
      ref={frame}
      src={withBase('/frames/artifact.html')}
      sandbox="allow-scripts allow-forms"
      title={label}
      referrerPolicy="no-referrer"
      style={{ height }}
      className="w-full rounded-medium border border-line bg-raised"
    />
  )
}

/**
 * An external page. It is only opened on request, since loading it would reveal the reader to its
 * host.
 */
function AddressEmbed({ address }: { address: string }) {
  const url = address.startsWith('//') ? `https:${address}` : address
  return (
    <p className="flex min-w-0 items-center gap-2 rounded-medium border border-line px-3 py-2 text-ui">
      <LinkIcon className="size-4 shrink-0 text-muted" />
      <ExternalLink href={url} className="truncate">
        {url}
      </ExternalLink>
    </p>
  )
}

/** Embeds that tools attached to an answer. */
export function MessageEmbeds({ embeds }: { embeds: readonly string[] }) {
  const { t } = useTranslation()
  return (
    <div className="mt-4 flex flex-col gap-3">
      {embeds.map((embed, index) => {
        const label = t('chat.embed.label', { number: index + 1 })
        // oxlint-disable-next-line react/no-array-index-key -- embeds have no other key than their index
        return isAddress(embed) ? (
          <AddressEmbed key={index} address={embed} />
        ) : (
          <HtmlEmbed key={index} html={embed} label={label} />
        )
      })}
    </div>
  )
}
