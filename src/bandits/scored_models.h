// The models that a chooser's policies share.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bandits/reward_model.h"
#include "halfspace/bandits/chooser.h"

namespace halfspace {

struct Chooser::Models {
  // A model, and what it says of the last choice's drawable actions.
  struct Scored {
    std::unique_ptr<RewardModel> model;  // null: no policy uses it
    std::vector<double> scores, variances, estimates;

    void score(const Block& rows, std::span<const std::size_t> drawable) {
      if (!model) return;
      all_scores.resize(rows.rows);
      all_variances.assign(rows.rows, 0.0);
      model->score(rows, all_scores, all_variances);
      scores.clear();
      variances.clear();
      estimates.clear();
      for (const std::size_t i : drawable) {
        scores.push_back(all_scores[i]);
        variances.push_back(all_variances[i]);
        estimates.push_back(model->estimate(all_scores[i]));
      }
    }

   private:
    std::vector<double> all_scores, all_variances;
  };
  Scored plain, varied;
};

}  // namespace halfspace
