// The modules that the server writes: the options of each game for the form of a new room, and the layouts of views.

declare module "*/form_options.js" {
  export const CLOCK: Protocol.Clock;
  export const GAMES: Record<string, { seats: [min: number, usual: number, max: number]; options: Option[] }>;
}

declare module "*/layouts.js" {
  export const LAYOUTS: Record<string, Record<string, Layout>>;
}
