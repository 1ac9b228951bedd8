/** Every icon of the product: the content of a 24 x 24 box, drawn with strokes in the text's colour. */
const SHAPES = {
  'alert-triangle': 'M12 4 2.8 20h18.4L12 4ZM12 10v4.5M12 17.4v.1',
  'arrow-right': 'M4.5 12h15M13 5.5l6.5 6.5-6.5 6.5',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15l1.5-2ZM10 21h4',
  bookmark: 'M6.5 3.5h11v17L12 16.2l-5.5 4.3v-17Z',
  calendar: 'M4 6h16v14.5H4V6ZM4 10.5h16M8 3v5M16 3v5',
  check: 'm4.5 12.5 5 5 10-11',
  'check-circle': 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8 12.2l2.8 2.8 5.2-5.7',
  'chevron-down': 'm5.5 9 6.5 6.5L18.5 9',
  'chevron-left': 'M15 5.5 8.5 12l6.5 6.5',
  'chevron-right': 'm9 5.5 6.5 6.5L9 18.5',
  'chevron-up': 'm5.5 15 6.5-6.5 6.5 6.5',
  circle: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5.3l3.4 2',
  copy: 'M9 9h11v11.5H9V9ZM15 9V3.5H4V15h5',
  'external-link': 'M13.5 4H20v6.5M20 4l-9 9M17 14v6H4V7h6',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  file: 'M6 3h8l4.5 4.5V21H6V3ZM14 3v5h4.5M9 13h6.5M9 17h6.5',
  history: 'M4 12a8.5 8.5 0 1 0 2.8-6.3L4 8.3M4 3.5v4.8h4.8M12.5 8v4.5l3 1.8',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 7.6v.1',
  layers: 'm12 3.5 9 4.8-9 4.8-9-4.8 9-4.8ZM3.5 12.5 12 17l8.5-4.5M3.5 16.5 12 21l8.5-4.5',
  link: 'M10 14a4.5 4.5 0 0 0 6.6.4l3-3a4.6 4.6 0 0 0-6.5-6.5l-1.4 1.4M14 10a4.5 4.5 0 0 0-6.6-.4l-3 3a4.6 4.6 0 0 0 6.5 6.5l1.4-1.4',
  lock: 'M5 10.5h14v10H5v-10ZM8 10.5V7.5a4 4 0 0 1 8 0v3M12 14.5v2.5',
  'log-out': 'M14 4H5v16h9M10.5 12H21M17 8l4 4-4 4',
  mail: 'M3 5.5h18v13H3v-13ZM3.5 6.5 12 13l8.5-6.5',
  minus: 'M5 12h14',
  more: 'M5 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM19 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  'panel-left': 'M3 4.5h18v15H3v-15ZM9 4.5v15',
  pause: 'M8.5 5v14M15.5 5v14',
  pencil: 'M4 20l1-4.5L16.5 4 20 7.5 8.5 19 4 20ZM14 6.5l3.5 3.5',
  plus: 'M12 5v14M5 12h14',
  printer: 'M7 8.5V3.5h10v5M7 17.5H3.5v-9h17v9H17M7 14h10v6.5H7V14Z',
  refresh: 'M20 5v5h-5M19.4 14.5A8 8 0 1 1 18.5 7L20 10',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.8 4.8',
  share: 'M12 15V3.5M7.5 7.5 12 3.5l4.5 4M5 12v8.5h14V12',
  shield: 'M12 3 4.5 6v5.5c0 4.5 3 8 7.5 9.5 4.5-1.5 7.5-5 7.5-9.5V6L12 3ZM8.8 12l2.3 2.3 4.2-4.6',
  star: 'm12 3.5 2.6 5.5 6 .8-4.4 4.2 1.1 6L12 17.1 6.7 20l1.1-6L3.4 9.8l6-.8L12 3.5Z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  trash: 'M4 6.5h16M9 6.5V3.5h6v3M6 6.5l1 14h10l1-14M10 10.5v6M14 10.5v6',
  user: 'M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.6-4 3.5-6 7.5-6s6.9 2 7.5 6',
  x: 'm5.5 5.5 13 13M18.5 5.5l-13 13',
  'x-circle': 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9 9l6 6M15 9l-6 6',
  zap: 'M13 3 5 13.5h6L10 21l9-11h-6.5L13 3Z',
} as const;

export type IconName = keyof typeof SHAPES;

interface IconProps {
  name: IconName;
  /** Side of the square in pixels. */
  size?: number;
  className?: string;
}

/** Renders a decorative icon: hidden from assistive technology, so the words next to it (or `aria-label`) must say it all. */
export function Icon({ name, size = 18, className = '' }: IconProps) {
  return (
    <svg
      className={`icon ${className}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
