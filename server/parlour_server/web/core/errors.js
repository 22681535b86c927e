// Explain errors to people. The sentences are loaded when they are needed.

export const explain = (error) => import("./refusals.js").then(({ explained }) => explained(error), () => error.msg ?? error.message);
