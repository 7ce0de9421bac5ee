import { useTranslation } from 'react-i18next'
import { showPictures } from '../pictures/shown-pictures.ts'

/** A picture whose bytes are here; it opens large like those that are stored. */
export function DataPicture({ src, label }: { src: string; label: string }) {
  const { t } = useTranslation()
  const show = (): void =>
    showPictures({
      entries: [{ id: null, url: src, name: label }],
      index: 0,
      place: null,
      rights: { mayMake: false, mayEdit: false },
      isEditing: false,
    })
  return (
    <button
      type="button"
      aria-label={t('chat.files.enlarge', { name: label })}
      className="picture-in-text"
      onClick={show}
    >
      <img src={src} alt={label} />
    </button>
  )
}
