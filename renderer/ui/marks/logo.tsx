import { classNames } from '../../lib/class-names.ts'

/** The product's logo: a doorway that is also a speech bubble. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 64 64"
      aria-hidden="true"
      className={classNames('shrink-0', className ?? 'size-7')}
    >
      <rect width="64" height="64" rx="15" className="fill-accent" />
      <path d="M18 50V28a14 14 0 0 1 28 0v10a6 6 0 0 1-6 6H25z" className="fill-on-accent" />
      <path d="M26.5 36v-7.5a5.5 5.5 0 0 1 11 0V36z" className="fill-accent" />
    </svg>
  )
}
