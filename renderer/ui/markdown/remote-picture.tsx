import { ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toSentence } from '../../api/api-error.ts'
import { fetchRemotePicture } from '../../api/remote-picture.ts'
import { DataPicture } from './data-picture-view.tsx'
import { ExternalLink } from './external-link.tsx'
import { linkPlace } from './safe-link.ts'

type Loaded =
  | { readonly state: 'none' | 'loading' }
  | { readonly state: 'shown'; readonly address: string }
  | { readonly state: 'failed'; readonly problem: string }

/**
 * An external picture would reveal the reader to a third party, so it is shown as a link, and
 * fetched by the gateway on request.
 */
export function RemotePicture({ url, label }: { url: URL; label: string }) {
  const { t } = useTranslation()
  const [loaded, setLoaded] = useState<Loaded>({ state: 'none' })
  const address = loaded.state === 'shown' ? loaded.address : null
  useEffect(() => () => void (address !== null && URL.revokeObjectURL(address)), [address])
  const show = async (): Promise<void> => {
    setLoaded({ state: 'loading' })
    try {
      const picture = await fetchRemotePicture(url.href)
      setLoaded({ state: 'shown', address: URL.createObjectURL(picture) })
    } catch (thrown) {
      setLoaded({ state: 'failed', problem: toSentence(thrown) })
    }
  }
  if (address !== null) return <DataPicture src={address} label={label} />
  return (
    <span className="image-chip">
      <ImageOff />
      <ExternalLink href={url.href}>
        {t('chat.image.open', { label, host: linkPlace(url) })}
      </ExternalLink>
      {url.protocol !== 'mailto:' && (
        <button
          type="button"
          disabled={loaded.state === 'loading'}
          className="image-show"
          onClick={() => void show()}
        >
          {t(loaded.state === 'loading' ? 'chat.image.loading' : 'chat.image.show')}
        </button>
      )}
      {loaded.state === 'failed' && <span role="alert">{loaded.problem}</span>}
    </span>
  )
}
