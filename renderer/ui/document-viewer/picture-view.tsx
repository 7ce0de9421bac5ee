import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'

interface PictureViewProps {
  readonly address: string
  readonly name: string
}

/** A picture fitted to the available space; a press toggles its full size. */
export function PictureView({ address, name }: PictureViewProps) {
  const { t } = useTranslation()
  const [isLarge, setLarge] = useState(false)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <p className="text-muted">{t('documents.pictureFailed')}</p>
  return (
    <button
      type="button"
      aria-pressed={isLarge}
      aria-label={t('documents.fullSize', { name })}
      onClick={() => setLarge(!isLarge)}
      className={classNames(
        'block max-w-full overflow-auto rounded-medium',
        isLarge ? 'cursor-zoom-out' : 'cursor-zoom-in',
      )}
    >
      <img
        src={address}
        alt={name}
        onError={() => setBroken(true)}
        className={classNames(
          'mx-auto rounded-medium border border-line bg-sunken',
          isLarge ? 'max-w-none' : 'max-h-[70dvh] max-w-full',
        )}
      />
    </button>
  )
}
