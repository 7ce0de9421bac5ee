import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Popover } from '../../../ui/floating/popover.tsx'
import type { Attachments } from '../../../ui/attachments/attachments-store.ts'
import { FeatureButton } from '../../../ui/controls/feature-button.tsx'
import { type AttachRights, useAttaching } from './use-attaching.tsx'

const WORDS = {
  camera: 'chat.add.camera',
  files: 'chat.add.files',
  knowledge: 'chat.attachments.kind.collection',
  note: 'chat.attachments.kind.note',
  page: 'chat.attachments.kind.url',
} as const

const SECTION = 'flex flex-col gap-0.5 *:min-h-control not-has-[button]:hidden'
const HEADING = 'flex items-end px-2.5 pb-1 text-small font-semibold text-muted'

interface AddSheetProps {
  readonly attachments: Attachments
  readonly rights: AttachRights
  /** Tools and features of the next answers. */
  readonly children: ReactNode
}

/** On a phone, one button for attachments, further models, tools and features, with their names. */
export function AddSheet({ attachments, rights, children }: AddSheetProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { ways, parts } = useAttaching(attachments, rights)
  return (
    <>
      {parts}
      <Popover
        isSheet
        side="top"
        label={t('chat.add.title')}
        open={isOpen}
        onOpenChange={setOpen}
        className="p-1.5"
        trigger={
          <IconButton
            label={t('chat.add.title')}
            side="top"
            icon={<Plus className="size-5!" />}
            className="rounded-full!"
          />
        }
      >
        <div data-folded="" className="flex flex-col gap-1.5">
          <section aria-label={t('chat.add.toMessage')} className={SECTION}>
            <h2 className={HEADING}>{t('chat.add.toMessage')}</h2>
            {ways.map(({ key, icon, choose }) => (
              <FeatureButton
                key={key}
                icon={icon}
                label={t(WORDS[key])}
                onClick={() => {
                  setOpen(false)
                  choose()
                }}
              />
            ))}
          </section>
          <section aria-label={t('chat.add.toAnswers')} className={SECTION}>
            <h2 className={HEADING}>{t('chat.add.toAnswers')}</h2>
            {children}
          </section>
        </div>
      </Popover>
    </>
  )
}
