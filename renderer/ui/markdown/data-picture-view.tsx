import { useTranslation } from 'react-i18next'
import { type PictureEntry, showPictures } from '../pictures/shown-pictures.ts'

const toEntry = (image: HTMLImageElement): PictureEntry => ({
  id: null,
  url: image.src,
  name: image.alt,
})

/**
 * Returns the pictures in the text of the message that contains a button, and the index of the
 * button's own.
 */
function picturesAround(button: HTMLElement): { entries: PictureEntry[]; index: number } {
  const text = button.closest('[data-message-id]') ?? button
  const images = [...text.querySelectorAll<HTMLImageElement>('.picture-in-text img')]
  const own = button.querySelector('img')!
  return images.includes(own)
    ? { entries: images.map(toEntry), index: images.indexOf(own) }
    : { entries: [toEntry(own)], index: 0 }
}

/** An inline picture (`data:` URL); it opens enlarged like stored ones. */
export function DataPicture({ src, label }: { src: string; label: string }) {
  const { t } = useTranslation()
  const show = (button: HTMLElement): void =>
    showPictures({
      ...picturesAround(button),
      place: null,
      rights: { mayMake: false, mayEdit: false },
      isEditing: false,
    })
  return (
    <button
      type="button"
      aria-label={t('chat.files.enlarge', { name: label })}
      className="picture-in-text"
      onClick={({ currentTarget }) => show(currentTarget)}
    >
      <img src={src} alt={label} />
    </button>
  )
}
