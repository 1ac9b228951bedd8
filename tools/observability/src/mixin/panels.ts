/** A panel of Grafana with what its place on the page decides left out. */
export interface Panel {
  title: string;
  description?: string;
  type?: 'timeseries' | 'stat';
  /** Grafana's name, such as `s`, `percentunit`, `reqps`; plain numbers otherwise. */
  unit?: string;
  /** Series by their legend. */
  series: Readonly<Record<string, string>>;
  /** From this value on a `stat` is orange, and red. */
  thresholds?: readonly [orange: number, red: number];
}

export interface Row {
  title: string;
  panels: readonly Panel[];
}

export interface Variable {
  name: string;
  label: string;
  /** PromQL's `label_values`. */
  query: string;
  many: boolean;
}

const PAGE_WIDTH = 24;
const HEIGHT = 8;
const MAX_IN_A_LINE = 4;
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable that Grafana replaces, not JavaScript.
const SOURCE = { type: 'prometheus', uid: '${datasource}' };

/** Returns a dashboard as Grafana imports it: rows of equally wide panels, up to four in a line. */
export function dashboard(
  uid: string,
  title: string,
  variables: readonly Variable[],
  rows: readonly Row[],
  from = 'now-3h',
): unknown {
  let id = 0;
  let y = 0;
  const panels = rows.flatMap(({ title, panels }) => {
    const gridPos = { h: 1, w: PAGE_WIDTH, x: 0, y };
    const head = { id: ++id, type: 'row', title, collapsed: false, gridPos, panels: [] };
    y += 1;
    const lines = Math.ceil(panels.length / MAX_IN_A_LINE);
    const inLine = Math.ceil(panels.length / lines);
    const placed = panels.map((panel, at) => {
      const w = PAGE_WIDTH / inLine;
      const x = (at % inLine) * w;
      return placedPanel(panel, ++id, { h: HEIGHT, w, x, y: y + Math.floor(at / inLine) * HEIGHT });
    });
    y += lines * HEIGHT;
    return [head, ...placed];
  });
  return {
    uid,
    title,
    tags: ['casewatch'],
    timezone: 'browser',
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from, to: 'now' },
    templating: { list: [DATASOURCE, ...variables.map(templateVariable)] },
    annotations: { list: [] },
    panels,
  };
}

const DATASOURCE = {
  name: 'datasource',
  type: 'datasource',
  query: 'prometheus',
  label: 'Data source',
  hide: 0,
};

function templateVariable({ name, label, query, many }: Variable) {
  return {
    name,
    type: 'query',
    label,
    datasource: SOURCE,
    query: { query, refId: name },
    definition: query,
    // On each change of the time range.
    refresh: 2,
    sort: 1,
    includeAll: many,
    multi: many,
    ...(many ? { allValue: '.*', current: { text: 'All', value: '$__all' } } : {}),
  };
}

function placedPanel(
  { title, description = '', type = 'timeseries', unit = 'short', series, thresholds }: Panel,
  id: number,
  gridPos: { h: number; w: number; x: number; y: number },
) {
  const steps = thresholds && [
    { color: 'green', value: null },
    { color: 'orange', value: thresholds[0] },
    { color: 'red', value: thresholds[1] },
  ];
  return {
    id,
    type,
    title,
    description,
    datasource: SOURCE,
    gridPos,
    fieldConfig: {
      defaults: {
        unit,
        ...(type === 'timeseries' ? { min: 0, custom: { showPoints: 'never', fillOpacity: 8 } } : {}),
        ...(steps ? { thresholds: { mode: 'absolute', steps } } : {}),
      },
      overrides: [],
    },
    options:
      type === 'stat'
        ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'background' }
        : {
            legend: { displayMode: 'list', placement: 'bottom' },
            tooltip: { mode: 'multi', sort: 'desc' },
          },
    targets: Object.entries(series).map(([legendFormat, expr], at) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + at),
      datasource: SOURCE,
      expr,
      legendFormat,
    })),
  };
}
