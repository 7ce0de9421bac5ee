import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { addressOf } from './picture-actions.ts'
import { type ShownPictures, turnTo } from './shown-pictures.ts'
import type { ZoomControl } from './use-zoom.ts'

interface StageProps {
  readonly shown: ShownPictures
  readonly name: string
  readonly image: RefObject<HTMLImageElement | null>
  readonly control: ZoomControl
}

const TURN =
  'absolute! top-1/2 size-10! -translate-y-1/2 rounded-full! border border-line bg-raised! shadow-low'

/**
 * A picture fitted to the available space, or enlarged and movable, with buttons to its neighbours
 * at its sides.
 */
export function PictureStage({ shown, name, image, control }: StageProps) {
  const { t } = useTranslation()
  const [broken, setBroken] = useState<string | null>(null)
  const [width, setWidth] = useState(0)
  const { index, entries } = shown
  const entry = entries[index]!
  const { zoom } = control
  return (
    <div className="relative flex min-h-24 flex-1 flex-col overflow-hidden">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys move an enlarged picture */}
      <div
        className={classNames(
          'grid min-h-0 flex-1 overflow-auto px-3',
          entries.length > 1 && 'sm:px-16',
        )}
        {...(zoom !== null && { tabIndex: 0, role: 'group', 'aria-label': name })}
      >
        {broken === entry.url ? (
          <p className="m-auto text-muted">{t('pictures.broken')}</p>
        ) : (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons and keys for the size do the same
          <img
            ref={image}
            key={entry.url}
            src={addressOf(entry)}
            alt={name}
            draggable={false}
            onError={() => setBroken(entry.url)}
            onLoad={({ currentTarget }) => setWidth(currentTarget.naturalWidth)}
            onDoubleClick={control.toggle}
            style={zoom === null ? undefined : { width: `${width * zoom}px` }}
            className={classNames(
              'm-auto rounded-medium',
              zoom === null
                ? 'max-h-[calc(100dvh-12rem)] max-w-full cursor-zoom-in object-contain'
                : 'max-w-none cursor-zoom-out',
            )}
          />
        )}
      </div>
      {index > 0 && (
        <IconButton
          label={t('pictures.viewer.previous')}
          icon={<ChevronLeft className="rtl:-scale-x-100" />}
          className={classNames(TURN, 'start-2 sm:start-4')}
          side="right"
          onClick={() => turnTo(index - 1)}
        />
      )}
      {index < entries.length - 1 && (
        <IconButton
          label={t('pictures.viewer.next')}
          icon={<ChevronRight className="rtl:-scale-x-100" />}
          className={classNames(TURN, 'end-2 sm:end-4')}
          side="left"
          onClick={() => turnTo(index + 1)}
        />
      )}
    </div>
  )
}
