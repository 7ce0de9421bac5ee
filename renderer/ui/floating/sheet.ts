/** Classes of a floating panel that lies at the bottom edge on phones; tokens.css places it. */
export const SHEET =
  'popover-sheet max-sm:shadow-[0_0_0_100vmax_var(--scrim)]! max-sm:max-h-[85dvh]! max-sm:w-full! max-sm:max-w-none! max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0 max-sm:pb-[max(0.5rem,env(safe-area-inset-bottom))]'
