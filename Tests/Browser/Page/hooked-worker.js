/** The library's worker in a browser that is changed before it starts: see worker-hooks.js. */
import "./worker-hooks.js";
import "../client/worker.js";
