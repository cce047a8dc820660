import "./network.js";
import "../client/worker.js";
