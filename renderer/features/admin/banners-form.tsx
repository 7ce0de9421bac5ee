import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Banner } from '#contract/configs.ts'
import { useAction } from '../../api/use-action.ts'
import { BannerLine } from '../../ui/layout/banner-line.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { SaveButton } from '../../ui/controls/save-button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { EmptyLine } from '../../ui/lists/empty-line.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { saveBanners } from './announcements-store.ts'
import { EntryList } from './entry-list.tsx'
import { newId } from '../../lib/new-id.ts'

const TYPES = ['info', 'success', 'warning', 'error'] as const

const newBanner = (): Banner => ({
  id: newId(),
  type: 'info',
  title: '',
  content: '',
  dismissible: true,
  timestamp: 0,
})

function BannerFields({
  banner,
  change,
}: {
  banner: Banner
  change: (part: Partial<Banner>) => void
}) {
  const { t } = useTranslation()
  const field = fieldsOf(banner, change)
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t('admin.announcements.kind')}
          {...field('type')}
          options={TYPES.map((type) => ({
            value: type,
            label: t(`admin.announcements.kinds.${type}`),
          }))}
        />
        <TextField
          label={t('admin.announcements.title')}
          maxLength={500}
          value={banner.title ?? ''}
          onChange={(title) => change({ title })}
        />
      </div>
      <TextArea
        label={t('admin.announcements.content')}
        hint={t('admin.announcements.markdown')}
        required
        maxLength={10_000}
        rows={2}
        {...field('content')}
      />
      <Switch
        label={t('admin.announcements.dismissible')}
        checked={banner.dismissible}
        onChange={(dismissible) => change({ dismissible })}
      />
      {banner.content.trim() && (
        <div className="overflow-hidden rounded-medium border border-line">
          <BannerLine banner={{ ...banner, dismissible: false }} />
        </div>
      )}
    </div>
  )
}

/** Editor of the notices above every page, with a preview. */
export function BannersForm({ start, onSaved }: { start: readonly Banner[]; onSaved: () => void }) {
  const { t } = useTranslation()
  const [stored, setStored] = useState(start)
  const [banners, setBanners] = useState(start)
  const isChanged = JSON.stringify(banners) !== JSON.stringify(stored)
  const { busy, problem, handleSubmit } = useAction(async () => {
    const saved = await saveBanners(stored, banners)
    setStored(saved)
    // Text typed meanwhile is kept.
    setBanners((shown) => (shown === banners ? saved : shown))
    toast({ text: t('common.saved') })
    onSaved()
  })
  return (
    <PageSection
      title={t('admin.announcements.banners')}
      text={t('admin.announcements.bannersText')}
      action={
        <Button
          icon={<Plus className="size-4" />}
          onClick={() => setBanners([...banners, newBanner()])}
        >
          {t('admin.announcements.addBanner')}
        </Button>
      }
    >
      <form onSubmit={handleSubmit} className="flex flex-col gap-3">
        <FormProblem text={problem} />
        {banners.length === 0 && <EmptyLine>{t('admin.announcements.noBanners')}</EmptyLine>}
        <EntryList
          entries={banners}
          onChange={setBanners}
          nameOf={(place) => t('admin.announcements.banner', { place })}
        >
          {(banner, change) => <BannerFields banner={banner} change={change} />}
        </EntryList>
        {(isChanged || banners.length > 0) && (
          <SaveButton busy={busy} disabled={!isChanged}>
            {t('admin.announcements.saveBanners')}
          </SaveButton>
        )}
      </form>
    </PageSection>
  )
}
